package dev.parley.control.agents;

import dev.parley.control.definitions.AgentRows;
import dev.parley.control.http.Checks;
import dev.parley.domain.Ids;
import dev.parley.domain.access.Capability;
import dev.parley.domain.definition.Agent;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks that the caller may use the key that pays for an agent. */
@Singleton
@Requires(beans = ParleyConfig.class)
final class KeyReferences {
    private static final Pattern CREDENTIAL = Pattern.compile("cred:([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})");

    private final ParleyConfig config;
    private final AgentRows rows;

    KeyReferences(ParleyConfig config, AgentRows rows) {
        this.config = config;
        this.rows = rows;
    }

    /**
     * Rejects a key that the caller may not use. The agent may keep its current key for the same provider.
     *
     * @throws dev.parley.platform.http.ApiException 400 naming the allowed references
     */
    void check(Caller caller, Agent requested, @Nullable Agent before) {
        String reference = requested.apiKeyRef();
        if (reference == null || (before != null && isSame(requested, before))) {
            return;
        }
        var credential = CREDENTIAL.matcher(reference);
        boolean may = credential.matches()
                ? hasCredential(caller, Ids.parse(credential.group(1)), requested.provider())
                : !reference.startsWith("file:") && isOperator(caller) && isConfigured(requested);
        if (!may) {
            throw Checks.invalid(
                    "apiKey",
                    ("must be cred:ID of your own credential of %s or, for administrators, of the host's; or for administrators of the installation"
                                    + " env:NAME or vault:PATH#FIELD as in parley.yml for this provider. Never the key itself")
                            .formatted(requested.provider()));
        }
    }

    /** The operator's keys are for the administrators of the installation's own host, not for those of tenants. */
    private static boolean isOperator(Caller caller) {
        return caller.host().equals(Caller.DEFAULT_HOST) && caller.may(Capability.SETTING_MANAGE);
    }

    private static boolean isSame(Agent first, Agent second) {
        return first.provider().equals(second.provider())
                && String.valueOf(first.apiKeyRef()).equals(second.apiKeyRef());
    }

    /** Whether parley.yml uses this reference for the provider, so that no key is sent to another provider. */
    private boolean isConfigured(Agent requested) {
        return Stream.concat(
                        config.providers().stream()
                                .filter(provider -> provider.name().equals(requested.provider()))
                                .map(ProviderConfig::apiKey),
                        config.agents().stream()
                                .filter(agent -> agent.provider().equals(requested.provider()))
                                .map(Agent::apiKeyRef))
                .anyMatch(reference -> reference != null && reference.equals(requested.apiKeyRef()));
    }

    private boolean hasCredential(Caller caller, UUID id, String provider) {
        return rows.hasCredential(
                caller.host(), id, provider, caller.person().user(), caller.may(Capability.SETTING_MANAGE));
    }
}
