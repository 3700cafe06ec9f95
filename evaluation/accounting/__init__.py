"""What a snapshot leaves out, and what runs would be worth had it been counted or decided otherwise."""
