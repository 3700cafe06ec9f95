"""What commands of every app are made of. `base`, `group`, `progress` and `files` need no settings."""
