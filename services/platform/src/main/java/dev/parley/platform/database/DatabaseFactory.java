package dev.parley.platform.database;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** The database of the pool, for the services of the process. */
@Factory
@Requires(beans = DataSource.class)
final class DatabaseFactory {
    @Singleton
    Database database(DataSource pool) {
        return Database.of(pool);
    }
}
