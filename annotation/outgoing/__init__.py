"""Messages that leave the installation: signed webhooks and mail, to whom the operator's settings allow."""
