package dev.parley.platform.testkit;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.embedded.DatabaseLogin;
import io.micronaut.context.ApplicationContext;

/** A database with the repositories of Micronaut Data, as a process has them, and nothing else of a process. */
public final class Repositories implements AutoCloseable {
    private final ApplicationContext context;

    private Repositories(ApplicationContext context) {
        this.context = context;
    }

    /** Behind a pool. */
    public static Repositories of(DatabaseLogin app) {
        return new Repositories(ApplicationContext.run(Databases.pool(app)));
    }

    /** Behind connections that say how Postgres finds rows. */
    public static Repositories of(DatabaseLogin app, Plans plans) {
        return new Repositories(ApplicationContext.builder()
                .properties(Databases.pool(app))
                .singletons(plans)
                .start());
    }

    public Database database() {
        return context.getBean(Database.class);
    }

    /** A repository, or what else is made of them. */
    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}
