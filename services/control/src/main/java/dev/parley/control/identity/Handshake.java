package dev.parley.control.identity;

import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import java.net.URI;

/**
 * The secrets that bind a provider's response to its authorization request; new for each request.
 *
 * @param state returned with the response
 * @param nonce expected in the ID token
 * @param verifier proves that the token request comes from the sender of the authorization request (PKCE)
 * @param callback redirect URI of the response
 */
public record Handshake(String state, Nonce nonce, CodeVerifier verifier, URI callback) {
    /** Omits secrets. */
    @Override
    public String toString() {
        return "Handshake[" + callback + "]";
    }
}
