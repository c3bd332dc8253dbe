package dev.parley.control.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.JWT;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import dev.parley.platform.bearer.AuthorizedParty;
import dev.parley.platform.config.IdentityProviderConfig;
import dev.parley.platform.config.secret.Secrets;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** OpenID Connect sign-in: the ID token carries the identity. */
public final class OpenId implements IdentityProvider {
    private static final Duration METADATA_TTL = Duration.ofHours(1);

    private final IdentityProviderConfig.OpenId config;
    private final Secrets secrets;
    private final Transport transport;
    private final AtomicReference<@Nullable CachedMetadata> cached = new AtomicReference<>();

    private record CachedMetadata(OpenIdMetadata metadata, long since) {
        boolean isFresh() {
            return System.nanoTime() - since < METADATA_TTL.toNanos();
        }
    }

    public OpenId(IdentityProviderConfig.OpenId config, Secrets secrets, Transport transport) {
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

    /** The issuer's metadata, cached for an hour; fetched on the first sign-in. */
    private OpenIdMetadata metadata() throws IdentityException {
        CachedMetadata before = cached.get();
        if (before != null && before.isFresh()) {
            return before.metadata();
        }
        try {
            OpenIdMetadata metadata = OpenIdMetadata.of(config, transport);
            cached.set(new CachedMetadata(metadata, System.nanoTime()));
            return metadata;
        } catch (IOException | ParseException | IllegalArgumentException e) {
            throw ProviderResponses.unreachable(title(), e);
        }
    }

    @Override
    public URI authorizationUrl(Handshake handshake) throws IdentityException {
        return new AuthenticationRequest.Builder(
                        ResponseType.CODE,
                        new Scope(config.scopes().toArray(String[]::new)),
                        new ClientID(config.clientId()),
                        handshake.callback())
                .endpointURI(metadata().authorization())
                .state(new State(handshake.state()))
                .nonce(handshake.nonce())
                .codeChallenge(handshake.verifier(), CodeChallengeMethod.S256)
                .build()
                .toURI();
    }

    @Override
    public Identity identify(Map<String, List<String>> parameters, Handshake handshake) throws IdentityException {
        var grant = new AuthorizationCodeGrant(
                ProviderResponses.code(title(), parameters, handshake, config.issuer()),
                handshake.callback(),
                handshake.verifier());
        OpenIdMetadata metadata = metadata();
        try {
            IDTokenClaimsSet claims = metadata.validator().validate(idToken(metadata, grant), handshake.nonce());
            String fault = AuthorizedParty.fault(claims.toJWTClaimsSet(), Set.of(config.clientId()));
            if (fault != null) {
                throw ProviderResponses.failure(title() + " sent an ID token for another client.", fault);
            }
            return identity(claims);
        } catch (BadJOSEException e) {
            throw ProviderResponses.failure(title() + " sent an invalid ID token.", String.valueOf(e.getMessage()));
        } catch (IOException | ParseException | JOSEException e) {
            throw ProviderResponses.unreachable(title(), e);
        }
    }

    private JWT idToken(OpenIdMetadata metadata, AuthorizationCodeGrant grant)
            throws IOException, ParseException, IdentityException {
        var response = OIDCTokenResponseParser.parse(new TokenRequest.Builder(metadata.token(), client(metadata), grant)
                .build()
                .toHTTPRequest()
                .send(transport));
        TokenResponse granted = ProviderResponses.requireGranted(title(), response);
        JWT token = granted instanceof OIDCTokenResponse tokens
                ? tokens.getOIDCTokens().getIDToken()
                : null;
        if (token == null) {
            throw ProviderResponses.failure(title() + " sent no ID token.", "the token response has no id_token");
        }
        return token;
    }

    private ClientAuthentication client(OpenIdMetadata metadata) {
        var id = new ClientID(config.clientId());
        var secret = new Secret(secrets.get(config.clientSecret()));
        return metadata.secretInBody() ? new ClientSecretPost(id, secret) : new ClientSecretBasic(id, secret);
    }

    private Identity identity(IDTokenClaimsSet claims) {
        boolean verified = Boolean.TRUE.equals(claims.getBooleanClaim("email_verified"))
                || "true".equals(claims.getStringClaim("email_verified"));
        String email = claims.getStringClaim("email");
        String login = claims.getStringClaim("preferred_username");
        return new Identity(
                name(),
                claims.getSubject().getValue(),
                login == null ? claims.getStringClaim("name") : login,
                verified ? email : null);
    }
}
