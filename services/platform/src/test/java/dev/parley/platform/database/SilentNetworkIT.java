package dev.parley.platform.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.testkit.TcpProxy;
import dev.parley.platform.testkit.TestInfra;
import io.micronaut.context.ApplicationContext;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.Driver;

/** A network to Postgres that stops delivering without closing its connections. */
class SilentNetworkIT {
    private static final Duration SOON = Duration.ofSeconds(15);

    private static String answer(TenantSql sql, String expression) {
        return sql.query("SELECT " + expression, row -> {
            row.next();
            return row.getString(1);
        });
    }

    private static ApplicationContext pool(
            DatabaseLogin login, TcpProxy network, String parameters, Map<String, Object> properties) {
        int port = port(login);
        String url = login.url().replace(":" + port + "/", ":" + network.port() + "/") + parameters;
        return ApplicationContext.builder()
                .properties(Databases.pool(new DatabaseLogin(url, login.user(), login.password())))
                .properties(properties)
                .start();
    }

    private static int port(DatabaseLogin login) {
        return URI.create(login.url().substring("jdbc:".length())).getPort();
    }

    @Test
    @Tag("B125")
    @SuppressWarnings("try") // the network ends before its users
    void aDatabaseThatIsAwayIsAnErrorWithinTwoSecondsAndABusyOneIsWaitedFor() throws Exception {
        DatabaseLogin login = TestInfra.newDatabase().app();
        Map<String, Object> one = Map.of("datasources.default.maximum-pool-size", 1);
        var network = new TcpProxy(port(login));
        try (var context = pool(login, network, "", one)) {
            // Given
            var sql = new Sql(context.getBean(Database.class)).as(Tenant.NONE);

            // When
            var slow = CompletableFuture.supplyAsync(() -> answer(sql, "'slow' FROM pg_sleep(4)"));
            Awaitility.await().until(() -> network.sent().toString().contains("pg_sleep"));

            // Then
            assertEquals("waited", answer(sql, "'waited'"));
            assertEquals("slow", slow.get(SOON.toSeconds(), TimeUnit.SECONDS));

            // And when
            network.close();

            // Then
            assertThrows(Sql.FailedException.class, () -> answer(sql, "'broken'"));
            long before = System.nanoTime();
            assertThrows(Sql.FailedException.class, () -> answer(sql, "'away'"));
            assertTrue(Duration.ofNanos(System.nanoTime() - before).toMillis() < 3_000);
        }
    }

    @Test
    void queryFailsWithinItsTimeoutAndThePoolRecovers() throws InterruptedException {
        DatabaseLogin login = TestInfra.newDatabase().app();
        Map<String, Object> impatient = Map.of("datasources.default.connection-timeout", 3_000);
        try (var network = new TcpProxy(port(login));
                var context = pool(login, network, "?socketTimeout=2", impatient)) {
            // Given
            var sql = new Sql(context.getBean(Database.class)).as(Tenant.NONE);
            assertEquals("before", answer(sql, "'before'"));

            // When
            var running = CompletableFuture.supplyAsync(() -> answer(sql, "'during' FROM pg_sleep(1)"));
            Awaitility.await().until(() -> network.sent().toString().contains("pg_sleep"));
            network.silence();

            // Then
            var failed = assertThrows(ExecutionException.class, () -> running.get(SOON.toSeconds(), TimeUnit.SECONDS));
            assertTrue(failed.getCause() instanceof Sql.FailedException, failed::toString);
            long before = System.nanoTime();
            assertThrows(Sql.FailedException.class, () -> answer(sql, "'later'"));
            assertTrue(Duration.ofNanos(System.nanoTime() - before).compareTo(SOON) < 0);

            // And when
            network.heal();

            // Then
            Awaitility.await()
                    .atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> answer(sql, "'after'").equals("after"));
        }
    }

    @Test
    void servicesHaveASocketTimeoutAndMigrationsHaveNone() {
        // Given
        DatabaseLogin login = TestInfra.newDatabase().app();
        try (var network = new TcpProxy(port(login));
                var context = pool(login, network, "", Map.of())) {
            var pool = (HikariDataSource) DelegatingDataSource.unwrapDataSource(context.getBean(DataSource.class));
            Properties driver = Driver.parseURL(pool.getJdbcUrl(), null);

            // Then
            assertEquals("30", driver.getProperty("socketTimeout"));
            assertEquals("5", driver.getProperty("connectTimeout"));
            assertEquals("true", driver.getProperty("tcpKeepAlive"));
            assertEquals(1_500, pool.getConnectionTimeout());
            assertEquals(1_000, pool.getValidationTimeout());
            assertEquals(60_000, pool.getKeepaliveTime());
            assertEquals(900_000, pool.getMaxLifetime());
            var single = (org.postgresql.ds.PGSimpleDataSource) Databases.single(login);
            assertEquals(0, single.getSocketTimeout());
            assertTrue(single.getTcpKeepAlive());
        }
    }
}
