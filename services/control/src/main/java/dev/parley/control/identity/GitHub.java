package dev.parley.control.identity;

import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationRequest;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenErrorResponse;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.oauth2.sdk.util.JSONObjectUtils;
import dev.parley.platform.config.IdentityProviderConfig;
import dev.parley.platform.config.secret.Secrets;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import net.minidev.json.JSONObject;
import org.jspecify.annotations.Nullable;

/** GitHub sign-in: OAuth 2, with the identity from GitHub's API. */
public final class GitHub implements IdentityProvider {
    private static final Scope SCOPE = new Scope("read:user", "user:email");

    private final IdentityProviderConfig.GitHub config;
    private final Secrets secrets;
    private final Transport transport;

    public GitHub(IdentityProviderConfig.GitHub config, Secrets secrets, Transport transport) {
        this.config = config;
        this.secrets = secrets;
        this.transport = transport;
    }

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public String title() {
        return config.title();
    }

    @Override
    public URI authorizationUrl(Handshake handshake) {
        return new AuthorizationRequest.Builder(ResponseType.CODE, new ClientID(config.clientId()))
                .endpointURI(URI.create(config.url() + "/login/oauth/authorize"))
                .redirectionURI(handshake.callback())
                .scope(SCOPE)
                .state(new State(handshake.state()))
                .codeChallenge(handshake.verifier(), CodeChallengeMethod.S256)
                .build()
                .toURI();
    }

    @Override
    public Identity identify(Map<String, List<String>> parameters, Handshake handshake) throws IdentityException {
        var grant = new AuthorizationCodeGrant(
                ProviderResponses.code(title(), parameters, handshake, null),
                handshake.callback(),
                handshake.verifier());
        try {
            AccessToken token = token(grant);
            JSONObject user = request("/user", token).getBodyAsJSONObject();
            long id = JSONObjectUtils.getLong(user, "id");
            return new Identity(
                    name(), Long.toString(id), JSONObjectUtils.getString(user, "login", null), email(token));
        } catch (IOException | ParseException e) {
            throw ProviderResponses.unreachable(title(), e);
        }
    }

    private AccessToken token(AuthorizationCodeGrant grant) throws IOException, ParseException, IdentityException {
        var client =
                new ClientSecretPost(new ClientID(config.clientId()), new Secret(secrets.get(config.clientSecret())));
        HTTPRequest request = new TokenRequest.Builder(
                        URI.create(config.url() + "/login/oauth/access_token"), client, grant)
                .build()
                .toHTTPRequest();
        request.setAccept("application/json");
        HTTPResponse response = request.send(transport);
        JSONObject body = response.getBodyAsJSONObject();
        // Unlike others, GitHub refuses with 200.
        TokenResponse tokens =
                body.containsKey("error") ? TokenErrorResponse.parse(body) : TokenResponse.parse(response);
        return ProviderResponses.requireGranted(title(), tokens)
                .toSuccessResponse()
                .getTokens()
                .getAccessToken();
    }

    private HTTPResponse request(String path, AccessToken token) throws IOException, IdentityException {
        var request = new HTTPRequest(HTTPRequest.Method.GET, URI.create(config.apiUrl() + path));
        request.setAuthorization(token.toAuthorizationHeader());
        request.setAccept("application/vnd.github+json");
        HTTPResponse response = request.send(transport);
        if (!response.indicatesSuccess()) {
            throw ProviderResponses.failure(
                    title() + " did not confirm your identity.", path + " answered " + response.getStatusCode());
        }
        return response;
    }

    /** The primary e-mail address if it is verified, or null, also where the installation does not reveal it. */
    private @Nullable String email(AccessToken token) throws IOException, ParseException {
        try {
            for (Object element : request("/user/emails", token).getBodyAsJSONArray()) {
                if (element instanceof Map<?, ?> address
                        && Boolean.TRUE.equals(address.get("primary"))
                        && Boolean.TRUE.equals(address.get("verified"))
                        && address.get("email") instanceof String email) {
                    return email;
                }
            }
        } catch (IdentityException e) {
            return null;
        }
        return null;
    }
}
