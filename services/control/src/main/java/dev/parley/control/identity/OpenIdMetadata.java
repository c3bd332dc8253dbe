package dev.parley.control.identity;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import dev.parley.platform.config.IdentityProviderConfig;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Discovery metadata of an OpenID issuer, and the validator of its ID tokens. */
final class OpenIdMetadata {
    /** Asymmetric signatures only: neither unsigned nor HMAC. */
    private static final Set<JWSAlgorithm> SIGNATURES = signatures();

    private static final Duration SKEW = Duration.ofSeconds(60);

    private final OIDCProviderMetadata metadata;
    private final IDTokenValidator validator;

    private OpenIdMetadata(OIDCProviderMetadata metadata, IDTokenValidator validator) {
        this.metadata = metadata;
        this.validator = validator;
    }

    private static Set<JWSAlgorithm> signatures() {
        var algorithms = new HashSet<>(JWSAlgorithm.Family.SIGNATURE);
        algorithms.remove(JWSAlgorithm.ES256K);
        return Set.copyOf(algorithms);
    }

    /** Fetches the metadata of the issuer. */
    static OpenIdMetadata of(IdentityProviderConfig.OpenId config, Transport transport)
            throws IOException, ParseException {
        URI url = URI.create(config.issuer().replaceAll("/+$", "") + "/.well-known/openid-configuration");
        var metadata = OIDCProviderMetadata.parse(
                transport.retrieveResource(url.toURL()).getContent());
        if (!metadata.getIssuer().getValue().equals(config.issuer())) {
            throw new ParseException(
                    "the metadata name the issuer " + metadata.getIssuer() + ", not " + config.issuer());
        }
        for (URI endpoint : List.of(
                metadata.getAuthorizationEndpointURI(), metadata.getTokenEndpointURI(), metadata.getJWKSetURI())) {
            requireAsSecure(url, endpoint);
        }
        return new OpenIdMetadata(metadata, createValidator(config, metadata, transport));
    }

    private static IDTokenValidator createValidator(
            IdentityProviderConfig.OpenId config, OIDCProviderMetadata metadata, Transport transport)
            throws MalformedURLException {
        JWKSource<SecurityContext> keys = JWKSourceBuilder.create(
                        metadata.getJWKSetURI().toURL(), transport)
                .refreshAheadCache(false)
                .build();
        var validator = new IDTokenValidator(
                new Issuer(config.issuer()),
                new ClientID(config.clientId()),
                new JWSVerificationKeySelector<>(SIGNATURES, keys),
                null);
        validator.setMaxClockSkew((int) SKEW.toSeconds());
        return validator;
    }

    private static void requireAsSecure(URI issuer, URI endpoint) throws ParseException {
        boolean bothHttp =
                "http".equals(issuer.getScheme()) && issuer.getScheme().equals(endpoint.getScheme());
        if (!"https".equals(endpoint.getScheme()) && !bothHttp) {
            throw new ParseException("an address of the issuer is not secure: " + endpoint);
        }
    }

    URI authorization() {
        return metadata.getAuthorizationEndpointURI();
    }

    URI token() {
        return metadata.getTokenEndpointURI();
    }

    /** Whether the client secret is sent in the body: only if the issuer does not support the header. */
    boolean secretInBody() {
        List<ClientAuthenticationMethod> methods = metadata.getTokenEndpointAuthMethods();
        return methods != null
                && methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_POST)
                && !methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC);
    }

    IDTokenValidator validator() {
        return validator;
    }
}
