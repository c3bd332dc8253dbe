package dev.parley.agents.model.wire;

import dev.parley.agents.model.CallOwner;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.wire.StoredKeys.Stored;
import dev.parley.domain.Ids;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.MissingKey;
import dev.parley.domain.protocol.origin.KeyOwner;
import dev.parley.domain.protocol.origin.Payer;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.config.secret.Secrets;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the key of a call when it is made: the key that the agent names, else the default of the turn's user, else
 * that of the host, else the key in the provider's configuration. A named key that is missing fails the call; there is
 * no fallback.
 */
public record ProviderKeys(Secrets secrets, StoredKeys stored) {
    private static final String CREDENTIAL = "cred:";

    /** Only configured keys, none of users and hosts. */
    public ProviderKeys(Secrets secrets) {
        this(secrets, StoredKeys.NONE);
    }

    /**
     * The key of an agent's call.
     *
     * @throws ModelFailure of the category AUTH when a needed key is missing
     */
    public Payment payment(ProviderConfig provider, Agent agent, CallOwner callOwner) throws ModelFailure {
        String reference = agent.apiKeyRef();
        if (reference != null && reference.startsWith(CREDENTIAL)) {
            return credentialPayment(provider, reference, callOwner);
        }
        if (reference != null) {
            return configuredPayment(provider, reference, KeyOwner.AGENT);
        }
        Optional<Stored> found = stored.find(callOwner, provider.name(), null);
        if (found.isPresent()) {
            Stored credential = found.get();
            return new Payment(credential.key(), new Payer(credential.owner(), credential.id()));
        }
        return configuredPayment(provider, provider.apiKey(), KeyOwner.OPERATOR);
    }

    private Payment credentialPayment(ProviderConfig provider, String reference, CallOwner callOwner)
            throws ModelFailure {
        UUID id = Ids.parse(reference.substring(CREDENTIAL.length()).toLowerCase(Locale.ROOT));
        Stored credential = stored.find(callOwner, provider.name(), id)
                .orElseThrow(() -> new ModelFailure(
                        ErrorCategory.AUTH,
                        MissingKey.detail(provider.name(), reference + " does not exist for this host and user")));
        return new Payment(credential.key(), new Payer(KeyOwner.AGENT, credential.id()));
    }

    private Payment configuredPayment(ProviderConfig provider, @Nullable String reference, KeyOwner owner)
            throws ModelFailure {
        if (reference == null) {
            return Payment.NONE;
        }
        try {
            return new Payment(secrets.get(reference), new Payer(owner, null));
        } catch (Secrets.MissingException e) {
            throw new ModelFailure(
                    ErrorCategory.AUTH, MissingKey.detail(provider.name(), String.valueOf(e.getMessage())), e);
        }
    }
}
