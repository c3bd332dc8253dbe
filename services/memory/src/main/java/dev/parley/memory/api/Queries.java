package dev.parley.memory.api;

import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Sql.Reader;
import java.util.List;
import java.util.Optional;

/**
 * Base of the queries on the memory tables. Queries on a bank run as its tenant, so row security hides all other rows.
 * SQL is composed of filters and page positions.
 */
abstract class Queries {
    final Database database;

    Queries(Database database) {
        this.database = database;
    }

    /** A select restricted to the rows of a bank. */
    static Select of(Bank bank, String alias, String sql) {
        return new Select(sql)
                .with(
                        "WHERE $.host_id = ? AND $.bank_id = ?".replace("$", alias),
                        bank.ref().host(),
                        bank.id());
    }

    final <T> List<T> all(Bank bank, Select select, Reader<T> mapper) {
        return database.in(bank.tenant(), transaction -> Columns.list(transaction, select, mapper));
    }

    final <T> Optional<T> first(Bank bank, Select select, Reader<T> mapper) {
        return database.in(bank.tenant(), transaction -> Columns.first(transaction, select, mapper));
    }
}
