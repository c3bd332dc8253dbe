package dev.parley.platform.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings of defined tools and of tools that work on checkouts. Who may use them is in {@link ParleyConfig#powers}.
 *
 * @param plugins folder of plug-ins for tools and channels, or null for none
 * @param python folder of the Python interpreter that the build packages, or null for none
 * @param secrets references that definitions may use, each with the hosts that it may be sent to
 * @param checkouts folders below which projects may have their checkout
 */
public record ToolsConfig(
        @Nullable Path plugins, @Nullable Path python, Map<String, Set<String>> secrets, List<Path> checkouts) {
    /** No plug-ins, no Python, no secrets, no checkouts. */
    public static final ToolsConfig NONE = new ToolsConfig(null, null, Map.of(), List.of());

    public ToolsConfig {
        secrets = secrets.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> Set.copyOf(entry.getValue())));
        checkouts = List.copyOf(checkouts);
    }
}
