package dev.parley.platform.bearer;

import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.bearer.TokenVerifier.Times;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.TokenIssuerConfig;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.database.Database;
import dev.parley.platform.http.signin.IssuedTokens;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.power.PowerGrants;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Beans that verify tokens of external issuers; each process fetches the keys itself. */
@Factory
@Requires(property = "parley.admin-key")
@Requires(beans = {ParleyConfig.class, Database.class})
final class BearerFactory {
    @Singleton
    IssuedTokens issuedTokens(
            ParleyConfig config, Database database, LinkedIdentityRows rows, Optional<AccessDirectory> directory) {
        Clock clock = Clock.systemUTC();
        List<TokenVerifier> verifiers = config.signIn().issuers().stream()
                .map(issuer -> verifier(issuer, clock))
                .toList();
        return new TokensOfIssuers(
                verifiers, new LinkedPeopleTable(database, rows), directory.orElse(AccessDirectory.NOTHING), clock);
    }

    private static TokenVerifier verifier(TokenIssuerConfig config, Clock clock) {
        return new TokenVerifier(config, new IssuerKeys(config, outbound(config)), Times.DEFAULT, clock);
    }

    /** Only hosts in the configuration may be in the operator's network, not those in the issuer's metadata. */
    static Outbound outbound(TokenIssuerConfig config) {
        Set<String> hosts = new HashSet<>();
        hosts.add(URI.create(config.issuer()).getHost());
        URI jwks = config.jwks();
        if (jwks != null) {
            hosts.add(jwks.getHost());
        }
        return new Outbound(ToolsConfig.NONE, PowerGrants.ofInstallation(hosts), new Secrets(Map.of(), Set.of()));
    }
}
