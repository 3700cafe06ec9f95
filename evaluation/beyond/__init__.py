"""Lists, alarms and drift described from files, stored runs and stored vectors; what was found is kept by its hash."""
