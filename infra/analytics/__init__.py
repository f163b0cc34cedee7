"""What analysts may start from: reads exports of finished games."""
