"""The key that hides accounts and games from those who look at the results of all."""

from alembic import op

revision = "0005"
down_revision = "0004"

# One row, 256 bits of the server's strong randomness. It lies beside what it hides, for it hides that from
# others than whoever reads this database; so backups keep hashes the same.
_KEY = """
CREATE TABLE result_key (
    is_the_one boolean PRIMARY KEY DEFAULT true CHECK (is_the_one),
    key bytea NOT NULL CHECK (length(key) = 32)
);
INSERT INTO result_key (key) VALUES (
    sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);
GRANT SELECT ON result_key TO sessions;
"""


def upgrade() -> None:
    """Make the key."""
    op.execute(_KEY)
