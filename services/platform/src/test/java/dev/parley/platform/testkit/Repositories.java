package dev.parley.platform.testkit;

import dev.parley.platform.config.ProcessRole;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.embedded.DatabaseLogin;
import io.micronaut.context.ApplicationContext;
import java.util.HashMap;
import java.util.Map;

/** A database with the repositories of Micronaut Data, as a process has them, and nothing else of a process. */
public final class Repositories implements AutoCloseable {
    private final ApplicationContext context;

    private Repositories(ApplicationContext context) {
        this.context = context;
    }

    /** Behind a pool. */
    public static Repositories of(DatabaseLogin app) {
        return new Repositories(ApplicationContext.run(properties(app)));
    }

    /** Behind connections that say how Postgres finds rows. */
    public static Repositories of(DatabaseLogin app, Plans plans) {
        return new Repositories(ApplicationContext.builder()
                .properties(properties(app))
                .singletons(plans)
                .start());
    }

    /** With all roles, because repositories belong to them. */
    private static Map<String, Object> properties(DatabaseLogin app) {
        var properties = new HashMap<String, Object>(Databases.pool(app));
        for (ProcessRole role : ProcessRole.values()) {
            properties.put("parley.role." + role.code(), "true");
        }
        return properties;
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
