package dev.parley.control.identity;

import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationResponse;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.TokenResponse;
import dev.parley.control.identity.IdentityException.Reason;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parsing of authorization and token responses that all providers share. */
final class ProviderResponses {
    private ProviderResponses() {}

    /**
     * The authorization code of a response.
     *
     * @param issuer the expected issuer of the response (RFC 9207), or null
     */
    static AuthorizationCode code(
            String title, Map<String, List<String>> parameters, Handshake handshake, @Nullable String issuer)
            throws IdentityException {
        AuthorizationResponse response;
        try {
            response = AuthorizationResponse.parse(handshake.callback(), parameters);
        } catch (ParseException e) {
            throw invalid(title, String.valueOf(e.getMessage()));
        }
        if (issuer != null
                && response.getIssuer() != null
                && !response.getIssuer().getValue().equals(issuer)) {
            throw invalid(title, response.getIssuer().getValue());
        }
        if (!response.indicatesSuccess()) {
            throw refusal(title, response.toErrorResponse().getErrorObject());
        }
        AuthorizationCode code = response.toSuccessResponse().getAuthorizationCode();
        if (code == null) {
            throw invalid(title, "it has no code");
        }
        return code;
    }

    private static IdentityException invalid(String title, String detail) {
        return new IdentityException(Reason.NO_ANSWER, "This is not a valid response from " + title + ".", detail);
    }

    private static IdentityException refusal(String title, ErrorObject error) {
        return OAuth2Error.ACCESS_DENIED.getCode().equals(error.getCode())
                ? new IdentityException(
                        Reason.DENIED, title + " sign-in was cancelled: consent was denied.", describe(error))
                : failure(title + " did not confirm your identity.", describe(error));
    }

    /**
     * The tokens of a token response.
     *
     * @throws IdentityException where the provider refused them
     */
    static <T extends TokenResponse> TokenResponse requireGranted(String title, T response) throws IdentityException {
        if (!response.indicatesSuccess()) {
            throw failure(
                    title + " rejected the sign-in: start again.",
                    describe(response.toErrorResponse().getErrorObject()));
        }
        return response;
    }

    private static String describe(ErrorObject error) {
        return error.getCode() + ": " + error.getDescription();
    }

    static IdentityException failure(String message, String detail) {
        return new IdentityException(Reason.FAILED, message, detail);
    }

    static IdentityException unreachable(String title, Exception e) {
        return new IdentityException(
                Reason.FAILED,
                title + " cannot be reached or sent an invalid response: try again later.",
                String.valueOf(e.getMessage()),
                e instanceof IOException ? e : null); // what parsers throw may quote a token
    }
}
