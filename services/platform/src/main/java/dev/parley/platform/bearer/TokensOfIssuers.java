package dev.parley.platform.bearer;

import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.domain.Ids;
import dev.parley.domain.Sha256;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.bearer.LinkedPeople.Found;
import dev.parley.platform.config.TokenIssuerConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.signin.IssuedTokens;
import io.micronaut.http.HttpStatus;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Tokens of the configured issuers. A token represents a user with an account here, with all or some of their
 * permissions; like an API key it cannot change sign-ins.
 */
final class TokensOfIssuers implements IssuedTokens {
    private static final int MAX_LENGTH = 8_192;
    private static final int PREFIX_LENGTH = 8;
    private static final Duration RETRY_DELAY = Duration.ofSeconds(30);

    private final Map<String, TokenVerifier> issuers;
    private final LinkedPeople linked;
    private final AccessDirectory directory;
    private final Clock clock;

    TokensOfIssuers(List<TokenVerifier> issuers, LinkedPeople linked, AccessDirectory directory, Clock clock) {
        this.issuers = issuers.stream()
                .collect(Collectors.toUnmodifiableMap(
                        verifier -> verifier.config().issuer(), Function.identity()));
        this.linked = linked;
        this.directory = directory;
        this.clock = clock;
    }

    /** A JWT begins with a JSON object in base64. */
    @Override
    public boolean takes(String text) {
        return !issuers.isEmpty() && text.startsWith("ey") && text.indexOf('.') > 0;
    }

    @Override
    public Caller caller(String text) {
        try {
            SignedJWT token = parse(text);
            TokenVerifier issuer = issuer(token);
            return caller(issuer.config(), issuer.verify(token), text);
        } catch (TokenRefusedException e) {
            throw new ApiException(HttpStatus.UNAUTHORIZED, INVALID, e.why());
        } catch (KeysUnavailableException e) {
            throw unavailable("The keys of the token's issuer cannot be fetched now.", e);
        }
    }

    private static ApiException unavailable(String reason, Exception cause) {
        return new ApiException(
                        HttpStatus.SERVICE_UNAVAILABLE, "issuer_unavailable", reason + " Try again later.", cause)
                .retryAfter(RETRY_DELAY);
    }

    private static SignedJWT parse(String text) throws TokenRefusedException {
        if (text.length() > MAX_LENGTH) {
            throw new TokenRefusedException("The token has more than " + MAX_LENGTH + " characters.");
        }
        try {
            JWT token = JWTParser.parse(text);
            if (token instanceof SignedJWT signed) {
                return signed;
            }
            throw new TokenRefusedException("The token is not signed.");
        } catch (ParseException | IllegalArgumentException e) {
            throw new TokenRefusedException("The token is not a JWT.");
        }
    }

    /** The issuer in the claims, whose keys must verify the signature. */
    private TokenVerifier issuer(SignedJWT token) throws TokenRefusedException {
        try {
            String name = token.getJWTClaimsSet().getIssuer();
            TokenVerifier found = name == null ? null : issuers.get(name);
            if (found == null) {
                throw new TokenRefusedException("The issuer of the token is not one that is trusted here.");
            }
            return found;
        } catch (ParseException | IllegalArgumentException e) {
            throw new TokenRefusedException("The claims of the token cannot be read.");
        }
    }

    private Caller caller(TokenIssuerConfig issuer, JWTClaimsSet claims, String text) throws TokenRefusedException {
        String subject = TokenRules.subject(issuer, claims);
        Found person = person(issuer, subject)
                .orElseThrow(() -> new TokenRefusedException(
                        "The token is valid, but no account here is linked with its user: sign in as that user once."));
        return Caller.of(key(issuer, claims, person, text), directory, clock.instant())
                .orElseThrow(
                        () -> new TokenRefusedException("The token is valid, but its user has no permissions here."));
    }

    private Optional<Found> person(TokenIssuerConfig issuer, String subject) {
        UUID configured = issuer.people().get(subject);
        if (configured != null) {
            return Optional.of(new Found(AccessDirectory.DEFAULT_HOST, configured));
        }
        String provider = issuer.provider();
        try {
            return provider == null ? Optional.empty() : linked.find(provider, subject);
        } catch (IllegalStateException e) {
            throw unavailable("The user of the token cannot be looked up now.", e);
        }
    }

    private static AccessKey key(TokenIssuerConfig issuer, JWTClaimsSet claims, Found person, String text) {
        String digest = Sha256.hex(text);
        Instant end = claims.getExpirationTime().toInstant().plus(issuer.clockSkew());
        return new AccessKey(
                KeyKind.API_KEY,
                person.host(),
                person.user(),
                Ids.of("issued-token", digest),
                AccessKey.ISSUED,
                "jwt_" + digest.substring(0, PREFIX_LENGTH),
                "",
                null,
                TokenRules.permissions(issuer, claims),
                end);
    }
}
