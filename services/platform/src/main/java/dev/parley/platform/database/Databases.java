package dev.parley.platform.database;

import dev.parley.platform.embedded.DatabaseLogin;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * How Postgres is reached, and how long it is waited for where a network breaks without a word. What a URL says itself
 * goes before what stands here.
 */
public final class Databases {
    /** How many connections a process has at most, however many projects there are. */
    public static final int MOST_CONNECTIONS = 10;

    private static final String POOL = "datasources.default.";

    /** How long a connection may take, and whether silent ones are asked for a sign of life. */
    private static final Map<String, String> CONNECTING =
            Map.of("connectTimeout", "5", "loginTimeout", "10", "cancelSignalTimeout", "5", "tcpKeepAlive", "true");

    /** Seconds without a byte after which a connection counts as broken. No statement of a service takes as long. */
    private static final String SILENCE = "30";

    /** How long a connection of the pool is waited for. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** How long a connection may take to show that it works, before it is lent. */
    private static final Duration CHECK = Duration.ofSeconds(3);

    /** How often connections that nobody uses are tried. */
    private static final Duration KEEP = Duration.ofMinutes(1);

    private static final Duration LIFE = Duration.ofMinutes(15);

    private Databases() {}

    /** The settings of the pool that the services of a process share. */
    public static Map<String, Object> pool(DatabaseLogin login) {
        var settings = new HashMap<String, Object>();
        var driver = new LinkedHashMap<>(CONNECTING);
        driver.put("socketTimeout", SILENCE);
        settings.put(POOL + "url", with(login.url(), driver));
        settings.put(POOL + "username", login.user());
        settings.put(POOL + "password", login.password());
        settings.put(POOL + "maximum-pool-size", MOST_CONNECTIONS);
        settings.put(POOL + "connection-timeout", WAIT.toMillis());
        settings.put(POOL + "validation-timeout", CHECK.toMillis());
        settings.put(POOL + "keepalive-time", KEEP.toMillis());
        settings.put(POOL + "max-lifetime", LIFE.toMillis());
        return settings;
    }

    /**
     * Whether a database is away, or takes nothing more.
     *
     * @param state SQLSTATE, empty where there was no answer
     */
    public static boolean isAway(String state) {
        return state.isEmpty() || state.startsWith("08") || state.startsWith("57") || state.startsWith("53");
    }

    /** Connections one by one, for migrations and replays: their statements may take as long as they need. */
    public static DataSource single(DatabaseLogin login) {
        var source = new PGSimpleDataSource();
        source.setUrl(with(login.url(), CONNECTING));
        source.setUser(login.user());
        source.setPassword(login.password());
        return source;
    }

    private static String with(String url, Map<String, String> parameters) {
        var all = new StringBuilder(url);
        parameters.forEach((name, value) -> {
            if (!url.matches(".*[?&]" + name + "=.*")) {
                all.append(all.indexOf("?") < 0 ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(value);
            }
        });
        return all.toString();
    }
}
