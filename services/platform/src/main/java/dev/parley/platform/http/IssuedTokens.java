package dev.parley.platform.http;

/** Resolves tokens of external issuers to callers. */
public interface IssuedTokens {
    /** The code of the problem that a token is no good. */
    String INVALID = "invalid_token";

    /** Whether this is for it: there are issuers, and it has the form of their tokens. */
    boolean takes(String text);

    /**
     * Whom a token stands for. It may ask the issuer for its keys, and so take seconds.
     *
     * @throws ApiException 401 {@link #INVALID} where it stands for nobody, and says why; 503 where that cannot be found out now
     */
    Caller caller(String text);
}
