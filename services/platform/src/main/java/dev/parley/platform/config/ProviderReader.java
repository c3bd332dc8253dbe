package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.ProviderSection;
import dev.parley.platform.config.ConfigFile.TimeoutsSection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the model providers: two built-in ones, and those of the file, which may override them. */
final class ProviderReader {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_.-]{0,62}");
    private static final Pattern CREDENTIAL =
            Pattern.compile("cred:\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]{1,100}");
    private static final Pattern VALUE = Pattern.compile("[ -~]{0,4096}");
    private static final Set<String> KINDS = Set.of("openai", "openai-chat", "anthropic");
    private static final Map<String, String> DEFAULT_URLS =
            Map.of("openai", "https://api.openai.com/v1", "anthropic", "https://api.anthropic.com/v1");

    private final Map<String, String> environment;

    ProviderReader(Map<String, String> environment) {
        this.environment = environment;
    }

    List<ProviderConfig> providers(@Nullable Map<String, ProviderSection> sections) {
        var all = new TreeMap<String, ProviderSection>();
        all.put("openai", ProviderSection.EMPTY);
        all.put("anthropic", ProviderSection.EMPTY);
        all.putAll(sections == null ? Map.of() : sections);
        var providers = new ArrayList<ProviderConfig>();
        all.forEach((name, section) -> providers.add(provider("providers." + name, name, section)));
        return providers;
    }

    private ProviderConfig provider(String at, String name, ProviderSection section) {
        if (!NAME.matcher(name).matches() || name.equals("scripted")) {
            throw new ConfigException(
                    at, "a provider's name is lower case letters, digits, '.', '_' or '-', not scripted");
        }
        String kind = section.kind() == null ? (DEFAULT_URLS.containsKey(name) ? name : "openai-chat") : section.kind();
        if (!KINDS.contains(kind)) {
            throw new ConfigException(at + ".kind", "is openai, openai-chat or anthropic, not '" + kind + "'");
        }
        return new ProviderConfig(
                name,
                kind,
                url(at + ".baseUrl", baseUrl(at, name, section)),
                key(at + ".apiKey", name, section),
                headers(at + ".headers", section.headers()),
                section.proxy() == null ? null : proxy(at + ".proxy", section.proxy()),
                timeouts(at + ".timeouts", section.timeouts()),
                perMinute(at + ".callsPerMinute", section.callsPerMinute()),
                section.options() == null ? Map.of() : section.options());
    }

    private String baseUrl(String at, String name, ProviderSection section) {
        String fallback = DEFAULT_URLS.get(name);
        String set = fallback == null ? null : environment.get(variable(name) + "_BASE_URL");
        if (set != null && !set.isBlank()) {
            return set.strip();
        }
        String url = section.baseUrl() == null ? fallback : section.baseUrl();
        if (url == null) {
            throw new ConfigException(at + ".baseUrl", "is needed, for example http://127.0.0.1:11434/v1");
        }
        return url;
    }

    private static String variable(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    private static @Nullable String key(String at, String name, ProviderSection section) {
        String reference = section.apiKey();
        if (reference == null) {
            return DEFAULT_URLS.containsKey(name) ? "env:" + variable(name) + "_API_KEY" : null;
        }
        return reference(at, reference);
    }

    /** Rejects a literal key, since files have many readers and definitions are published. */
    static String reference(String at, String reference) {
        if (!Secrets.REFERENCE.matcher(reference).matches()) {
            throw new ConfigException(at, Secrets.FORM);
        }
        return reference;
    }

    /** The reference of an agent, which may also name a credential. */
    static String agentReference(String at, String reference) {
        if (!CREDENTIAL.matcher(reference).matches()
                && !Secrets.REFERENCE.matcher(reference).matches()) {
            throw new ConfigException(at, "is env:NAME, file:PATH, vault:PATH#FIELD or cred:ID, never the key itself");
        }
        return reference;
    }

    /** Rejects invalid headers, without their value, which may be a secret. */
    private static Map<String, String> headers(String at, @Nullable Map<String, String> headers) {
        Map<String, String> all = headers == null ? Map.of() : headers;
        all.forEach((name, value) -> {
            if (!HEADER.matcher(name).matches()
                    || value == null
                    || !VALUE.matcher(value).matches()) {
                throw new ConfigException(at + "." + name, "is a header of printable ASCII characters in one line");
            }
        });
        return all;
    }

    private static URI url(String at, String text) {
        URI url = WebAddress.parsed(text.replaceAll("/+$", ""));
        if (url != null && WebAddress.isWeb(url) && url.getQuery() == null) {
            return url;
        }
        // without the text, which may contain a password
        throw new ConfigException(at, "is a URL such as https://api.openai.com/v1, without user, password and query");
    }

    private static URI proxy(String at, String text) {
        URI url = WebAddress.parsed(text);
        if (url != null && "http".equals(url.getScheme()) && url.getHost() != null && url.getPort() > 0) {
            return url;
        }
        // without the text, which may contain a password
        throw new ConfigException(at, "is http://[user:password@]host:port");
    }

    private static @Nullable Integer perMinute(String at, @Nullable Integer calls) {
        if (calls != null && calls < 1) {
            throw new ConfigException(at, "is at least 1");
        }
        return calls;
    }

    private static ProviderConfig.Timeouts timeouts(String at, @Nullable TimeoutsSection section) {
        var fallback = ProviderConfig.Timeouts.DEFAULT;
        return section == null
                ? fallback
                : new ProviderConfig.Timeouts(
                        time(at + ".connect", section.connect(), fallback.connect()),
                        time(at + ".firstToken", section.firstToken(), fallback.firstToken()),
                        time(at + ".idle", section.idle(), fallback.idle()),
                        time(at + ".total", section.total(), fallback.total()));
    }

    private static Duration time(String at, @Nullable String text, Duration fallback) {
        Duration time = text == null ? fallback : ConfigReader.duration(at, text);
        if (time.isZero()) {
            throw new ConfigException(at, "must be longer than nothing");
        }
        return time;
    }
}
