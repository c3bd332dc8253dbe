package dev.parley.control.identity;

import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import java.net.URI;

/**
 * What ties the answer of a provider to the question; a new one for each question.
 *
 * @param state comes back with the answer
 * @param nonce stands in the ID token
 * @param verifier proves that who asked also fetches the tokens (PKCE)
 * @param callback where the answer comes
 */
public record Handshake(String state, Nonce nonce, CodeVerifier verifier, URI callback) {
    /** Without what is secret. */
    @Override
    public String toString() {
        return "Handshake[" + callback + "]";
    }
}
