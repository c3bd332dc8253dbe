package dev.parley.platform.health;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Readiness of the database. */
@Singleton
@Requires(beans = DataSource.class)
final class PostgresReadiness implements Readiness {
    private final BeanProvider<DataSource> dataSource;
    private final Probe probe = new Probe(this::check);

    PostgresReadiness(BeanProvider<DataSource> dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public Optional<String> problem() {
        return probe.problem();
    }

    private Optional<String> check() {
        try (var connection =
                DelegatingDataSource.unwrapDataSource(dataSource.get()).getConnection()) {
            return connection.isValid(1) ? Optional.empty() : Optional.of("the database does not answer");
        } catch (SQLException e) {
            return Optional.of("the database cannot be reached");
        }
    }
}
