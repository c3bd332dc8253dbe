package dev.parley.control.credentials;

import dev.parley.control.http.Columns;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.sealing.Sealing.NotOpenedException;
import dev.parley.platform.sealing.Sealing.Sealed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Credentials of all hosts, as they are sealed. */
final class SealedRows {
    private final Transaction transaction;

    SealedRows(Transaction transaction) {
        this.transaction = transaction;
    }

    /** How many credentials a master key has sealed. */
    record Count(long key, long credentials) {}

    /** A credential that another master key than the first has sealed. */
    record Row(UUID host, UUID id, byte[] sealed, long key) {
        static Row of(ResultSet row) throws SQLException {
            return new Row(
                    Columns.uuid(row, "host_id"),
                    Columns.uuid(row, "credential_id"),
                    row.getBytes("sealed"),
                    row.getLong("master_key_id"));
        }

        @Override
        public String toString() {
            return "Row[" + id + "]";
        }
    }

    List<Count> counts() {
        return transaction.query("""
                SELECT master_key_id, count(*) FROM control.provider_credential_t GROUP BY master_key_id ORDER BY master_key_id
                """, row -> Columns.all(row, one -> new Count(one.getLong(1), one.getLong(2))));
    }

    /** Some that another key has sealed, in the order of their ids, after this one. Those that somebody else works on are left out. */
    List<Row> others(long key, UUID after, int most) {
        return transaction.query("""
                SELECT host_id, credential_id, sealed, master_key_id FROM control.provider_credential_t
                WHERE master_key_id <> ? AND credential_id > ? ORDER BY credential_id LIMIT ? FOR UPDATE SKIP LOCKED
                """, row -> Columns.all(row, Row::of), key, after, most);
    }

    /** Seals it by the first master key. Nothing that people see changes, and so the version does not. */
    void reseal(Sealing sealing, Row row) throws NotOpenedException {
        String secret = sealing.open(row.sealed(), row.key(), row.host(), row.id());
        Sealed sealed = sealing.seal(secret, row.host(), row.id());
        transaction.update("""
                UPDATE control.provider_credential_t SET sealed = ?, master_key_id = ? WHERE host_id = ? AND credential_id = ?
                """, sealed.bytes(), sealed.key(), row.host(), row.id());
    }
}
