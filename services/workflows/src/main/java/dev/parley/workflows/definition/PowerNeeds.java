package dev.parley.workflows.definition;

import dev.parley.platform.config.secret.Secrets;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The secrets and hosts that a definition names as they are, wherever it names them: a publisher who may not use them
 * learns it at once. What an expression names is known only when it runs, and refused then.
 */
final class PowerNeeds {
    /** Members with the key of an authentication. */
    private static final Set<String> KEYS = Set.of("username", "password", "token");

    /** Members with the address of a call. */
    private static final Set<String> ADDRESSES = Set.of("endpoint", "uri", "server", "host");

    private PowerNeeds() {}

    static void check(DefinitionNode part, Function<String, Optional<String>> refusal) {
        part.items().forEach(item -> check(item, refusal));
        for (String name : part.names()) {
            DefinitionNode member = part.get(name);
            String text = member.value().text().orElse("");
            if (KEYS.contains(name) && Secrets.REFERENCE.matcher(text).matches()) {
                refusal.apply("secret " + text).ifPresent(member::addProblem);
            }
            if (ADDRESSES.contains(name)) {
                host(text).flatMap(host -> refusal.apply("host " + host)).ifPresent(member::addProblem);
            }
            check(member, refusal);
        }
    }

    /** The host of a URL without expressions, or the name of a host. */
    private static Optional<String> host(String text) {
        try {
            String host = text.contains("://") ? URI.create(text).getHost() : text;
            return Optional.ofNullable(host)
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .filter(name -> name.matches("[a-z0-9._:\\[\\]-]{1,253}"))
                    .map(name -> name.replaceAll("[\\[\\]]", ""));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // with an expression
        }
    }
}
