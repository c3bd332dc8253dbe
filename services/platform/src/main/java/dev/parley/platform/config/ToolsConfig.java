package dev.parley.platform.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Permissions of defined tools and of tools that work on checkouts.
 *
 * @param allowedHosts private names and addresses, in lower case, that tools may send requests to
 * @param stdio whether a definition may start a local program
 * @param plugins folder of plug-ins for tools and channels, or null for none
 * @param python folder of the Python interpreter that the build packages, or null for none
 * @param secrets references that definitions may use, each with the hosts that it may be sent to
 * @param checkouts folders below which projects may have their checkout
 * @param shell whether agents may have a shell in a checkout
 */
public record ToolsConfig(
        Set<String> allowedHosts,
        boolean stdio,
        @Nullable Path plugins,
        @Nullable Path python,
        Map<String, Set<String>> secrets,
        List<Path> checkouts,
        boolean shell) {
    /** Public hosts only, no programs, no plug-ins, no Python, no secrets, no checkouts. */
    public static final ToolsConfig NONE = new ToolsConfig(Set.of(), false, null, null, Map.of(), List.of(), false);

    public ToolsConfig {
        allowedHosts = Set.copyOf(allowedHosts);
        secrets = secrets.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> Set.copyOf(entry.getValue())));
        checkouts = List.copyOf(checkouts);
    }
}
