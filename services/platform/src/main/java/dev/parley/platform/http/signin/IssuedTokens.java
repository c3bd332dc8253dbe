package dev.parley.platform.http.signin;

import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;

/** Resolves tokens of external issuers to callers. */
public interface IssuedTokens {
    /** The problem code of an invalid token. */
    String INVALID = "invalid_token";

    /** Whether a text has the form of a token and there are issuers. */
    boolean takes(String text);

    /**
     * Resolves a token; fetching the keys of the issuer may take seconds.
     *
     * @throws ApiException 401 {@link #INVALID} if it is invalid, with the reason; 503 if it cannot be checked now
     */
    Caller caller(String text);
}
