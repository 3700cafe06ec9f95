"""What a system shows beyond the order of one list: coverage, exposure, variety, surprise; and alarms."""
