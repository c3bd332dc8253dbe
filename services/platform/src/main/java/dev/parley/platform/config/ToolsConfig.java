package dev.parley.platform.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What tools may do here: those that are defined while everything runs, and those that work on checkouts.
 *
 * @param allowedHosts names and addresses, in lower case, that their requests may go to although they are private
 * @param stdio whether a definition may start a program of this machine
 * @param plugins the folder with plug-ins, of tools and of channels, or null for none
 * @param python the folder with what runs scripts in Python, as the build makes it, or null for none
 * @param secrets the references that definitions may use, each with the hosts that it may be sent to
 * @param checkouts the folders below which local and git projects may have their checkout
 * @param shell whether agents may be given a shell in a checkout
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
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, one -> Set.copyOf(one.getValue())));
        checkouts = List.copyOf(checkouts);
    }
}
