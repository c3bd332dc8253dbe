package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.ToolsSection;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what defined tools may do. */
final class ToolsReader {
    private static final Pattern HOST = Pattern.compile("[a-z0-9._-]{1,253}|[0-9a-f:.]{2,45}");

    private ToolsReader() {}

    static ToolsConfig tools(@Nullable ToolsSection section) {
        if (section == null) {
            return ToolsConfig.NONE;
        }
        return new ToolsConfig(
                hosts("tools.allowedHosts", section.allowedHosts()),
                Boolean.TRUE.equals(section.stdio()),
                section.plugins() == null
                        ? null
                        : Path.of(section.plugins()).toAbsolutePath().normalize(),
                secrets(section.secrets()));
    }

    private static Map<String, Set<String>> secrets(@Nullable Map<String, List<String>> sections) {
        var secrets = new HashMap<String, Set<String>>();
        (sections == null ? Map.<String, List<String>>of() : sections).forEach((reference, hosts) -> {
            String at = "tools.secrets." + reference;
            Set<String> read = hosts(at, hosts);
            if (read.isEmpty()) {
                throw new ConfigException(at, "is a list of the hosts that it may be sent to");
            }
            secrets.put(ProviderReader.reference("tools.secrets", reference), read); // which may be the key itself
        });
        return secrets;
    }

    private static Set<String> hosts(String at, @Nullable List<String> written) {
        var hosts = new HashSet<String>();
        for (@Nullable String host : written == null ? List.<String>of() : written) {
            String name = String.valueOf(host).toLowerCase(Locale.ROOT);
            if (!HOST.matcher(name).matches()) {
                throw new ConfigException(at, "has names of hosts, such as api.example.com, not '" + host + "'");
            }
            hosts.add(name);
        }
        return hosts;
    }
}
