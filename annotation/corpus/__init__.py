"""What is judged and by which rules: topics, documents, pools, the scale and the guideline."""
