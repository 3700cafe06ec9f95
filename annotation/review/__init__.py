"""What a person decides after others judged: contested pairs, objections, suspects and corrections of gold."""
