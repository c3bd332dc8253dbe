package dev.parley.control.identity;

import java.net.URI;
import java.util.List;
import java.util.Map;

/** Says who somebody is. It blocks for seconds at most. */
public sealed interface IdentityProvider permits GitHub, OpenId {
    /** One word, which paths and identities have. */
    String name();

    /** What people read. */
    String title();

    /**
     * Where somebody is sent to say who they are.
     *
     * @throws IdentityException where the provider cannot be asked how
     */
    URI question(Handshake handshake) throws IdentityException;

    /**
     * Who they are.
     *
     * @param answer the parameters with which they came back
     * @throws IdentityException where that does not prove it
     */
    Identity identify(Map<String, List<String>> answer, Handshake handshake) throws IdentityException;
}
