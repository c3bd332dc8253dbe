package dev.parley.platform.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The environment variables that are settings, and similar names that are likely typos. */
public final class EnvironmentVariables {
    private static final String PREFIX = "PARLEY_";

    private static final Set<String> KNOWN = Set.of(
            "PARLEY_DATA",
            "PARLEY_BLOBS",
            "PARLEY_PORT",
            "PARLEY_BIND",
            "PARLEY_URL",
            "PARLEY_HOSTS",
            "PARLEY_TRUSTED_PROXIES",
            "PARLEY_HSTS",
            "PARLEY_CORS_ORIGINS",
            "PARLEY_ROLES",
            "PARLEY_MODEL",
            "PARLEY_TRANSCRIBER",
            "PARLEY_EMBEDDING",
            "PARLEY_ADMIN_KEY",
            "PARLEY_MASTER_KEY",
            "PARLEY_INSTALLATION_KEY",
            "PARLEY_UNSIGNED",
            "PARLEY_KAFKA",
            "PARLEY_KAFKA_SETTINGS",
            "PARLEY_POSTGRES",
            "PARLEY_POSTGRES_USER",
            "PARLEY_POSTGRES_PASSWORD",
            "PARLEY_POSTGRES_APP_USER",
            "PARLEY_POSTGRES_APP_PASSWORD",
            "PARLEY_REGISTRY",
            "PARLEY_PARTITIONS",
            "PARLEY_REPLICAS",
            "PARLEY_INSTANCE",
            "PARLEY_DRAIN",
            "PARLEY_PYTHON",
            "PARLEY_CONFIG",
            "PARLEY_JAVA",
            "PARLEY_JAVA_OPTS",
            "PARLEY_HEAP",
            "PARLEY_LOG",
            "PARLEY_LOG_KAFKA");

    /** Variables that Kubernetes sets in every container for a service whose name begins with parley. */
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "PARLEY_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT_\\d+_(TCP|UDP|SCTP)(_(PORT|PROTO|ADDR))?)");

    private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

    private EnvironmentVariables() {}

    /** Names of the settings that begin with {@code PARLEY_}. */
    public static Set<String> knownNames() {
        return KNOWN;
    }

    /** The variables without those of Kubernetes services, such as {@code PARLEY_PORT=tcp://10.0.0.1:8080}. */
    static Map<String, String> withoutKubernetes(Map<String, String> environment) {
        var filtered = new HashMap<>(environment);
        filtered.entrySet().removeIf(variable -> isOfKubernetes(variable.getKey(), variable.getValue()));
        return filtered;
    }

    private static boolean isOfKubernetes(String name, String value) {
        return name.startsWith(PREFIX)
                && (SERVICE_LINK.matcher(name).matches()
                        || name.endsWith("_PORT")
                                && SERVICE_ADDRESS.matcher(value).matches());
    }

    /** Warnings about variables that look like settings, a sentence each. */
    public static List<String> warnings(Map<String, String> environment) {
        return withoutKubernetes(environment).keySet().stream()
                .filter(name -> name.startsWith(PREFIX) && !KNOWN.contains(name))
                .sorted()
                .map(EnvironmentVariables::warning)
                .toList();
    }

    private static String warning(String name) {
        String hint = NearNames.of(name, KNOWN)
                .map(suggestion -> "; did you mean " + suggestion + "?")
                .orElse(".");
        return name + " is not a setting and is ignored" + hint;
    }
}
