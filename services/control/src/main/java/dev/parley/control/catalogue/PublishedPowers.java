package dev.parley.control.catalogue;

import dev.parley.control.definitions.DefinitionEntry;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.EndpointJson;
import dev.parley.control.definitions.ToolJson;
import dev.parley.control.http.Checks;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses tools and endpoints that use a power which is not granted to the host or project that publishes them. Calls
 * ask again.
 */
@Singleton
@Requires(beans = ParleyConfig.class)
final class PublishedPowers {
    private final PowerGrants powers;

    @Inject
    PublishedPowers(ParleyConfig config) {
        this(config.powers());
    }

    PublishedPowers(PowerGrants powers) {
        this.powers = powers;
    }

    /** @throws dev.parley.platform.http.ApiException 400 naming the field and the missing power */
    void check(DefinitionScope scope, DefinitionEntry entry) {
        String field = entry instanceof ToolJson ? "implementation" : "auth";
        for (Power power : used(entry)) {
            boolean isOthers = power.kind() != Kind.PRIVATE_HOST || powers.isOn(power);
            powers.refusal(power, scope.scope()).filter(_ -> isOthers).ifPresent(refusal -> {
                throw Checks.invalid(field, "cannot be used here: " + refusal);
            });
        }
    }

    private static Set<Power> used(DefinitionEntry entry) {
        var used = new HashSet<Power>();
        if (entry instanceof ToolJson tool) {
            if ("java".equals(tool.type())) {
                used.add(Power.of(Kind.PLUGIN_TOOLS));
            }
            add(used, tool.implementation());
        } else if (entry instanceof EndpointJson endpoint) {
            addSecret(used, endpoint.auth());
            addHost(used, endpoint.url());
        }
        return used;
    }

    /** The powers of an implementation, and of the MCP server that it names. */
    private static void add(Set<Power> used, @Nullable Object fields) {
        if (fields instanceof Map<?, ?> map) {
            addSecret(used, map.get("auth"));
            addHost(used, map.get("url"));
            if (map.get("server") instanceof Map<?, ?> server) {
                if (server.containsKey("command")) {
                    used.add(Power.of(Kind.PROGRAMS));
                }
                add(used, server);
            }
        }
    }

    private static void addSecret(Set<Power> used, @Nullable Object auth) {
        if (auth instanceof Map<?, ?> map && map.get("secret") instanceof String secret) {
            used.add(Power.secret(secret));
        }
    }

    private static void addHost(Set<Power> used, @Nullable Object url) {
        host(String.valueOf(url)).map(Power::privateHost).ifPresent(used::add);
    }

    /** The host of a URL, which may have the names of arguments in braces. */
    private static Optional<String> host(String url) {
        try {
            return Optional.ofNullable(URI.create(url.replaceAll("[{}]", "_")).getHost())
                    .map(host -> host.replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // the call parses it
        }
    }
}
