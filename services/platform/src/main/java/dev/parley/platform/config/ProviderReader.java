package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.ProviderSection;
import dev.parley.platform.config.ConfigFile.TimeoutsSection;
import dev.parley.platform.config.secret.Secrets;
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
        var sectionsByName = new TreeMap<String, ProviderSection>();
        sectionsByName.put("openai", ProviderSection.EMPTY);
        sectionsByName.put("anthropic", ProviderSection.EMPTY);
        sectionsByName.putAll(sections == null ? Map.of() : sections);
        var providers = new ArrayList<ProviderConfig>();
        sectionsByName.forEach((name, section) -> providers.add(provider("providers." + name, name, section)));
        return providers;
    }

    private ProviderConfig provider(String path, String name, ProviderSection section) {
        if (!NAME.matcher(name).matches() || name.equals("scripted")) {
            throw new ConfigException(
                    path, "a provider's name is lower case letters, digits, '.', '_' or '-', not scripted");
        }
        String kind = section.kind() == null ? (DEFAULT_URLS.containsKey(name) ? name : "openai-chat") : section.kind();
        if (!KINDS.contains(kind)) {
            throw new ConfigException(path + ".kind", "is openai, openai-chat or anthropic, not '" + kind + "'");
        }
        return new ProviderConfig(
                name,
                kind,
                url(path + ".baseUrl", baseUrl(path, name, section)),
                key(path + ".apiKey", name, section),
                headers(path + ".headers", section.headers()),
                section.proxy() == null ? null : proxy(path + ".proxy", section.proxy()),
                timeouts(path + ".timeouts", section.timeouts()),
                perMinute(path + ".callsPerMinute", section.callsPerMinute()),
                section.options() == null ? Map.of() : section.options());
    }

    private String baseUrl(String path, String name, ProviderSection section) {
        String fallback = DEFAULT_URLS.get(name);
        String set = fallback == null ? null : environment.get(variable(name) + "_BASE_URL");
        if (set != null && !set.isBlank()) {
            return set.strip();
        }
        String url = section.baseUrl() == null ? fallback : section.baseUrl();
        if (url == null) {
            throw new ConfigException(path + ".baseUrl", "is needed, for example http://127.0.0.1:11434/v1");
        }
        return url;
    }

    private static String variable(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    private static @Nullable String key(String path, String name, ProviderSection section) {
        String reference = section.apiKey();
        if (reference == null) {
            return DEFAULT_URLS.containsKey(name) ? "env:" + variable(name) + "_API_KEY" : null;
        }
        return reference(path, reference);
    }

    /** Rejects a literal key, since files have many readers and definitions are published. */
    static String reference(String path, String reference) {
        if (!Secrets.REFERENCE.matcher(reference).matches()) {
            throw new ConfigException(path, Secrets.FORM);
        }
        return reference;
    }

    /** The reference of an agent, which may also name a credential. */
    static boolean isAgentReference(String reference) {
        return CREDENTIAL.matcher(reference).matches()
                || Secrets.REFERENCE.matcher(reference).matches();
    }

    /** Rejects invalid headers, without their value, which may be a secret. */
    private static Map<String, String> headers(String path, @Nullable Map<String, String> headers) {
        Map<String, String> entries = headers == null ? Map.of() : headers;
        entries.forEach((name, value) -> {
            if (!HEADER.matcher(name).matches()
                    || value == null
                    || !VALUE.matcher(value).matches()) {
                throw new ConfigException(path + "." + name, "is a header of printable ASCII characters in one line");
            }
        });
        return entries;
    }

    private static URI url(String path, String text) {
        URI url = WebAddress.parseOrNull(text.replaceAll("/+$", ""));
        if (url != null && WebAddress.isWeb(url) && url.getQuery() == null) {
            return url;
        }
        // without the text, which may contain a password
        throw new ConfigException(path, "is a URL such as https://api.openai.com/v1, without user, password and query");
    }

    private static URI proxy(String path, String text) {
        URI url = WebAddress.parseOrNull(text);
        if (url != null && "http".equals(url.getScheme()) && url.getHost() != null && url.getPort() > 0) {
            return url;
        }
        // without the text, which may contain a password
        throw new ConfigException(path, "is http://[user:password@]host:port");
    }

    private static @Nullable Integer perMinute(String path, @Nullable Integer calls) {
        if (calls != null && calls < 1) {
            throw new ConfigException(path, "is at least 1");
        }
        return calls;
    }

    private static ProviderConfig.Timeouts timeouts(String path, @Nullable TimeoutsSection section) {
        var fallback = ProviderConfig.Timeouts.DEFAULT;
        return section == null
                ? fallback
                : new ProviderConfig.Timeouts(
                        time(path + ".connect", section.connect(), fallback.connect()),
                        time(path + ".firstToken", section.firstToken(), fallback.firstToken()),
                        time(path + ".idle", section.idle(), fallback.idle()),
                        time(path + ".total", section.total(), fallback.total()));
    }

    private static Duration time(String path, @Nullable String text, Duration fallback) {
        Duration time = text == null ? fallback : ConfigReader.duration(path, text);
        if (time.isZero()) {
            throw new ConfigException(path, "must be longer than zero");
        }
        return time;
    }
}
