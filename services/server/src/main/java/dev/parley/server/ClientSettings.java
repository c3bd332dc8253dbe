package dev.parley.server;

import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.kafka.KafkaClients;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings with which a program of somebody else reaches the brokers or the database, in the form that it reads. */
final class ClientSettings {
    private static final Pattern CREDENTIAL = Pattern.compile("(username|password)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** The form of the settings. */
    enum Form {
        /** A command line that takes further options. */
        KCAT,
        /** A properties file of Kafka's Java clients. */
        JAVA,
        /** A properties file of the programs that Kafka brings, for {@code --command-config}. */
        CONSOLE,
        /** A JSON object for kafkajs and Confluent's client. */
        NODE,
        /** A command line. */
        PSQL,
        /** A JDBC URL. */
        JDBC;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private ClientSettings() {}

    /** Those of the brokers, and of the owner of the tables, to whom row-level security shows the rows of all tenants. */
    static String text(Form form, KafkaClients clients, DatabaseLogin owner) {
        return text(form, clients, owner, "-c app.host=*");
    }

    /** @param options of the connection to the database, as Postgres takes them; may be empty */
    static String text(Form form, KafkaClients clients, DatabaseLogin database, String options) {
        return switch (form) {
            case KCAT -> kcat(clients);
            case JAVA, CONSOLE -> properties(clients);
            case NODE -> node(clients);
            case PSQL ->
                "%sPGPASSWORD=%s psql -U %s '%s'"
                        .formatted(
                                options.isEmpty() ? "" : "PGOPTIONS=" + quoted(options) + " ",
                                quoted(database.password()),
                                database.user(),
                                database.url().substring("jdbc:".length()));
            case JDBC ->
                "%s%suser=%s&password=%s%s"
                        .formatted(
                                database.url(),
                                database.url().contains("?") ? "&" : "?",
                                encoded(database.user()),
                                encoded(database.password()),
                                options.isEmpty() ? "" : "&options=" + encoded(options));
        };
    }

    private static String properties(KafkaClients clients) {
        return settings(clients).entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue().replace("\\", "\\\\"))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String kcat(KafkaClients clients) {
        Map<String, String> settings = settings(clients);
        Map<String, String> login = login(settings.remove("sasl.jaas.config"));
        login.forEach((name, value) -> settings.put("sasl." + name, value));
        String brokers = settings.remove("bootstrap.servers");
        return settings.entrySet().stream()
                .map(setting -> " -X " + quoted(setting.getKey() + "=" + setting.getValue()))
                .collect(Collectors.joining("", "kcat -b " + brokers, ""));
    }

    private static String node(KafkaClients clients) {
        var settings = new LinkedHashMap<String, Object>();
        settings.put("brokers", List.of(clients.bootstrap().split(",")));
        Map<String, String> security = clients.security();
        settings.put("ssl", security.getOrDefault("security.protocol", "").endsWith("SSL"));
        Map<String, String> login = login(security.get("sasl.jaas.config"));
        if (!login.isEmpty()) {
            var sasl = new LinkedHashMap<String, String>();
            sasl.put(
                    "mechanism",
                    security.getOrDefault("sasl.mechanism", "PLAIN").toLowerCase(Locale.ROOT));
            sasl.putAll(login);
            settings.put("sasl", sasl);
        }
        return JsonMappers.stored().valueToTree(settings).toString();
    }

    /** Sorted; what is rolled back never happened for a consumer. */
    private static Map<String, String> settings(KafkaClients clients) {
        var settings = new TreeMap<>(clients.security());
        settings.put("bootstrap.servers", clients.bootstrap());
        settings.put("isolation.level", "read_committed");
        return settings;
    }

    /** User and password of a JAAS configuration, which only Java's clients read. */
    private static Map<String, String> login(@Nullable String jaas) {
        var login = new TreeMap<String, String>();
        Matcher found = CREDENTIAL.matcher(jaas == null ? "" : jaas);
        while (found.find()) {
            login.putIfAbsent(found.group(1), found.group(2).replaceAll("\\\\(.)", "$1"));
        }
        return login.descendingMap(); // the user first
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9_./:=@-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
