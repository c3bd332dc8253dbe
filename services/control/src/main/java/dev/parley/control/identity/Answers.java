package dev.parley.control.identity;

import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationResponse;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.TokenResponse;
import dev.parley.control.identity.IdentityException.Reason;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what all providers answer alike. */
final class Answers {
    private Answers() {}

    /**
     * The code that fetches the tokens.
     *
     * @param issuer who answers, where answers may say so (RFC 9207), or null
     */
    static AuthorizationCode code(
            String title, Map<String, List<String>> answer, Handshake handshake, @Nullable String issuer)
            throws IdentityException {
        AuthorizationResponse response;
        try {
            response = AuthorizationResponse.parse(handshake.callback(), answer);
        } catch (ParseException e) {
            throw new IdentityException(
                    Reason.NO_ANSWER, "This is no answer of " + title + ".", String.valueOf(e.getMessage()));
        }
        if (issuer != null
                && response.getIssuer() != null
                && !response.getIssuer().getValue().equals(issuer)) {
            throw new IdentityException(
                    Reason.NO_ANSWER,
                    "This is no answer of " + title + ".",
                    response.getIssuer().getValue());
        }
        if (!response.indicatesSuccess()) {
            throw refused(title, response.toErrorResponse().getErrorObject());
        }
        AuthorizationCode code = response.toSuccessResponse().getAuthorizationCode();
        if (code == null) {
            throw new IdentityException(Reason.NO_ANSWER, "This is no answer of " + title + ".", "it has no code");
        }
        return code;
    }

    private static IdentityException refused(String title, ErrorObject error) {
        return OAuth2Error.ACCESS_DENIED.getCode().equals(error.getCode())
                ? new IdentityException(Reason.DENIED, title + " was not allowed to say who you are.", said(error))
                : failed(title + " did not say who you are.", said(error));
    }

    /** The tokens, which the provider may have refused. */
    static <T extends TokenResponse> TokenResponse granted(String title, T response) throws IdentityException {
        if (!response.indicatesSuccess()) {
            throw failed(
                    title + " did not accept the answer; start again.",
                    said(response.toErrorResponse().getErrorObject()));
        }
        return response;
    }

    private static String said(ErrorObject error) {
        return error.getCode() + ": " + error.getDescription();
    }

    static IdentityException failed(String message, String detail) {
        return new IdentityException(Reason.FAILED, message, detail);
    }

    static IdentityException unreachable(String title, Exception e) {
        return failed(
                title + " cannot be reached, or answers nonsense; try again later.", String.valueOf(e.getMessage()));
    }
}
