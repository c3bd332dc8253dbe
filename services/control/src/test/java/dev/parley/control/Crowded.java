package dev.parley.control;

import dev.parley.control.definitions.AgentRows;
import dev.parley.control.definitions.RuleRows;
import dev.parley.control.outbox.OutboxPublisher;
import dev.parley.control.outbox.OutboxRows;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.embedded.PostgresDatabase;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.testkit.Plans;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.TestInfra;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

/**
 * A host with {@value #PEOPLE} people and as many projects, of which each of the first {@value #OWNERS} people owns
 * some: so many that Postgres reads none of these tables as a whole where it has an index to go by.
 */
public final class Crowded implements AutoCloseable {
    private static final int PEOPLE = 20_000;
    private static final int OWNERS = 1_000;

    private static final List<String> ROWS = List.of(
            """
            INSERT INTO control.user_t (user_id, username, email, email_proved_ts, update_user)
            SELECT md5('user ' || i)::uuid, 'Person-' || i, 'Person-' || i || '@example.org', now(), 'test'
            FROM generate_series(1, $n) i""",
            """
            INSERT INTO control.user_host_t (host_id, user_id, role, update_user)
            SELECT '$h', md5('user ' || i)::uuid, 'user', 'test' FROM generate_series(1, $n) i""",
            """
            INSERT INTO control.project_t (host_id, project_id, project_key, name, type, path, owner_id, created_ts, update_user)
            SELECT '$h', md5('project ' || i)::uuid, md5('project ' || i)::uuid, 'Project ' || i, 'local', '/work/' || i,
              md5('user ' || (i % $o) + 1)::uuid, now() - i * interval '1 minute', 'test' FROM generate_series(1, $n) i""",
            """
            INSERT INTO control.project_member_t (host_id, project_id, user_id, role, update_user)
            SELECT '$h', md5('project ' || i)::uuid, md5('user ' || (i % $o) + 1)::uuid, 'owner', 'test'
            FROM generate_series(1, $n) i""",
            "ANALYZE control.user_t, control.user_host_t, control.project_t, control.project_member_t");

    private final PostgresDatabase database = TestInfra.newDatabase();
    private final Database owner = new Database(Databases.single(database.owner())::getConnection);
    private final Plans plans = new Plans(Databases.single(database.app())::getConnection);
    private final Repositories repositories;

    public Crowded() {
        ControlSchema.migrate(Databases.single(database.owner()), database.app().user());
        ROWS.forEach(this::run);
        repositories = Repositories.of(database.app(), plans);
    }

    /** The id of the person with this number. */
    public static UUID person(int number) {
        return of("user " + number);
    }

    /** The id of the project with this number. */
    public static UUID project(int number) {
        return of("project " + number);
    }

    /** As {@code md5(…)::uuid} says it. */
    private static UUID of(String text) {
        try {
            var digest = java.security.MessageDigest.getInstance("MD5");
            var bytes = java.nio.ByteBuffer.wrap(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
            return new UUID(bytes.getLong(), bytes.getLong());
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Does something as the owner of the tables, for all hosts. */
    public void run(String sql) {
        try (Connection connection = owner.begin(Tenant.ALL);
                Statement statement = connection.createStatement()) {
            statement.execute(sql.replace("$h", AccessDirectory.DEFAULT_HOST.toString())
                    .replace("$n", Integer.toString(PEOPLE))
                    .replace("$o", Integer.toString(OWNERS)));
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The tables as their owner sees them. */
    public Database owner() {
        return owner;
    }

    /** The tables for the role of the application. */
    public Database app() {
        return repositories.database();
    }

    /** A repository of these tables. */
    public <T> T rows(Class<T> type) {
        return repositories.bean(type);
    }

    /** How Postgres found what the application asked for. */
    public Plans plans() {
        return plans;
    }

    /** Nobody hears of changes. */
    public PublicationBarrier published() {
        var nowhere = KafkaClients.of("127.0.0.1:1");
        return new PublicationBarrier(
                new OutboxPublisher(
                        app(), rows(OutboxRows.class), rows(AgentRows.class), rows(RuleRows.class), nowhere),
                new AccessFollower(nowhere),
                new KafkaDefinitions(nowhere));
    }

    @Override
    public void close() {
        repositories.close();
    }
}
