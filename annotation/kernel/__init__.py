"""What every subject stands on: access, audit, jobs, uploads, and the parts that pages and the API share."""
