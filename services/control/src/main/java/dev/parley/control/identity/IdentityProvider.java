package dev.parley.control.identity;

import java.net.URI;
import java.util.List;
import java.util.Map;

/** An external identity provider. Calls block for at most 10 s each. */
public sealed interface IdentityProvider permits GitHub, OpenId {
    /** The name in paths and identities. */
    String name();

    /** The display name. */
    String title();

    /**
     * The authorization URL of the provider.
     *
     * @throws IdentityException where the provider's metadata cannot be read
     */
    URI authorizationUrl(Handshake handshake) throws IdentityException;

    /**
     * The identity that a response proves.
     *
     * @param parameters the query parameters of the callback
     * @throws IdentityException where the response is invalid
     */
    Identity identify(Map<String, List<String>> parameters, Handshake handshake) throws IdentityException;
}
