package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.HttpSection;
import dev.parley.platform.http.network.Network;
import dev.parley.platform.http.network.ServerNames;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the names of the server, the trusted proxies, and the origins of foreign pages. */
final class HttpReader {
    private static final HttpSection NONE = new HttpSection(null, null, null, null, null, null);

    /** An origin as browsers send it: in lower case, without a path. */
    private static final Pattern ORIGIN = Pattern.compile("https?://[a-z0-9.-]+(:[0-9]{1,5})?");

    private HttpReader() {}

    /**
     * Reads the section; a variable replaces its key.
     *
     * @param hosts variable with names separated by commas, or null
     * @param proxies variable with addresses separated by commas, or null
     * @param origins variable with origins separated by commas, or null
     */
    static HttpConfig http(
            @Nullable HttpSection section,
            @Nullable String hosts,
            @Nullable String proxies,
            int hsts,
            @Nullable String origins) {
        HttpSection file = section == null ? NONE : section;
        return new HttpConfig(
                list("PARLEY_HOSTS", hosts, file.hosts(), ServerNames::normal, "names without port and scheme"),
                list(
                        "PARLEY_TRUSTED_PROXIES",
                        proxies,
                        file.trustedProxies(),
                        Network::of,
                        "addresses or networks such as 10.0.0.0/8"),
                hsts,
                list(
                        "PARLEY_CORS_ORIGINS",
                        origins,
                        file.corsOrigins(),
                        HttpReader::checkOrigin,
                        "origins such as https://app.example.com"),
                file.publicRegistry(),
                LimitsConfig.of(file.limits()));
    }

    private static void checkOrigin(String origin) {
        if (!ORIGIN.matcher(origin).matches()) {
            throw new IllegalArgumentException("not an origin");
        }
    }

    private static List<String> list(
            String variable,
            @Nullable String text,
            @Nullable List<String> fromFile,
            Consumer<String> check,
            String expected) {
        List<String> values = text == null
                ? fromFile == null ? List.of() : fromFile
                : Stream.of(text.split("[,\\s]+"))
                        .filter(value -> !value.isEmpty())
                        .toList();
        for (String value : values) {
            try {
                check.accept(value);
            } catch (IllegalArgumentException e) {
                throw new ConfigException(variable, "has %s, not '%s'".formatted(expected, value));
            }
        }
        return values;
    }
}
