package dev.parley.platform.database;

import dev.parley.platform.embedded.DatabaseLogin;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connection settings of Postgres, with timeouts for networks that drop packets silently. Parameters of a URL take
 * precedence.
 */
public final class Databases {
    /** Maximum number of connections of a process. */
    public static final int MAX_CONNECTIONS = 10;

    private static final String POOL = "datasources.default.";

    /** Timeouts in seconds of connecting, and TCP keep-alive. */
    private static final Map<String, String> CONNECTING =
            Map.of("connectTimeout", "5", "loginTimeout", "10", "cancelSignalTimeout", "5", "tcpKeepAlive", "true");

    /** Seconds without a byte after which a connection is broken. No statement of a service takes as long. */
    private static final String SILENCE = "30";

    /**
     * Timeout for a connection of the pool; {@link Database} waits for {@link #BUSY_WAIT} while all are in use. So a
     * dead database is an error within 2 s, and a busy one is waited for.
     */
    private static final Duration WAIT = Duration.ofMillis(1_500);

    /** Longest wait for a connection while all connections of the pool are in use. */
    static final Duration BUSY_WAIT = Duration.ofSeconds(10);

    /** Timeout of the validation of a connection. */
    private static final Duration CHECK = Duration.ofSeconds(1);

    /** Interval of the validation of idle connections. */
    private static final Duration KEEP = Duration.ofMinutes(1);

    private static final Duration LIFE = Duration.ofMinutes(15);

    private Databases() {}

    /** Settings of the pool that the services of a process share. */
    public static Map<String, Object> pool(DatabaseLogin login) {
        var settings = new HashMap<String, Object>();
        var driver = new LinkedHashMap<>(CONNECTING);
        driver.put("socketTimeout", SILENCE);
        settings.put(POOL + "url", with(login.url(), driver));
        settings.put(POOL + "username", login.user());
        settings.put(POOL + "password", login.password());
        settings.put(POOL + "maximum-pool-size", MAX_CONNECTIONS);
        settings.put(POOL + "connection-timeout", WAIT.toMillis());
        settings.put(POOL + "validation-timeout", CHECK.toMillis());
        settings.put(POOL + "keepalive-time", KEEP.toMillis());
        settings.put(POOL + "max-lifetime", LIFE.toMillis());
        return settings;
    }

    /**
     * Whether a database is unavailable or overloaded.
     *
     * @param state SQLSTATE, empty if there was no answer
     */
    public static boolean isUnavailable(String state) {
        return state.isEmpty() || state.startsWith("08") || state.startsWith("57") || state.startsWith("53");
    }

    /** Unpooled connections for migrations and replays, without a timeout of statements. */
    public static DataSource single(DatabaseLogin login) {
        var source = new PGSimpleDataSource();
        source.setUrl(with(login.url(), CONNECTING));
        source.setUser(login.user());
        source.setPassword(login.password());
        return source;
    }

    private static String with(String url, Map<String, String> parameters) {
        var result = new StringBuilder(url);
        parameters.forEach((name, value) -> {
            if (!url.matches(".*[?&]" + name + "=.*")) {
                result.append(result.indexOf("?") < 0 ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(value);
            }
        });
        return result.toString();
    }
}
