package dev.parley.platform.health;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Whether the database answers. */
@Singleton
@Requires(beans = DataSource.class)
final class PostgresReadiness implements Readiness {
    private final BeanProvider<DataSource> dataSource;

    PostgresReadiness(BeanProvider<DataSource> dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public Optional<String> problem() {
        try (var connection = dataSource.get().getConnection()) {
            return connection.isValid(1) ? Optional.empty() : Optional.of("the database does not answer");
        } catch (SQLException e) {
            return Optional.of("the database cannot be reached");
        }
    }
}
