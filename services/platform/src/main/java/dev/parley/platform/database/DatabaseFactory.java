package dev.parley.platform.database;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import javax.sql.DataSource;

/** The database of the connection pool, for the services of this process. */
@Factory
@Requires(beans = DataSource.class)
final class DatabaseFactory {
    @Singleton
    Database database(DataSource pool, TransactionOperations<Connection> transactions) {
        return Database.of(pool, transactions);
    }
}
