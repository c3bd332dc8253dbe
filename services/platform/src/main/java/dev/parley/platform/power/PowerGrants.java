package dev.parley.platform.power;

import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.power.Power.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The one place that answers who may use a power. It is asked when something is published, and each time that it runs,
 * so that a power that is taken back ends at once, also for what was published before.
 *
 * <p>A tool or an endpoint has the powers of the scope that it is published in: of its project or, if an administrator
 * has published it for a host, of that host. Workflows, and what is built in, such as {@code web_fetch}, have the powers
 * of the project in which they run.
 */
public final class PowerGrants {
    /** Nobody has any power. */
    public static final PowerGrants NONE = new PowerGrants(Map.of(), false);

    private final SortedMap<Power, Grant> grants;
    private final boolean programs;

    /** @param programs whether this process starts programs: false if its user is root */
    public PowerGrants(Map<Power, Grant> grants, boolean programs) {
        this.grants = Collections.unmodifiableSortedMap(new TreeMap<>(grants));
        this.programs = programs;
    }

    /** The server's own calls, of no host or project, to these private hosts. */
    public static PowerGrants ofInstallation(Collection<String> privateHosts) {
        var own = new Grant(true, Set.of(CatalogueScope.INSTALLATION), Set.of());
        return new PowerGrants(privateHosts.stream().collect(Collectors.toMap(Power::privateHost, _ -> own)), false);
    }

    /** Whether a host or project has a power, and this process can exercise it. */
    public boolean allows(Power power, CatalogueScope scope) {
        return refusal(power, scope).isEmpty();
    }

    /**
     * Why a host or project may not use a power, and how it is granted; empty if it may. The text is the same where the
     * power is off, so that nobody learns which hosts and secrets others have.
     */
    public Optional<String> refusal(Power power, CatalogueScope scope) {
        Grant grant = grants.get(power);
        if (grant == null || !grant.includes(scope)) {
            Grant.Grantee grantee = Grant.Grantee.of(scope);
            return Optional.of("the power %s is not granted to this %s; who runs the server grants it in parley.yml: %s"
                    .formatted(power, scope.project() == null ? "host" : "project", power.example(grantee)));
        }
        return power.kind().startsPrograms() && !programs
                ? Optional.of(
                        "this server runs as root and starts no programs (%s): run it as another user, or set commandsAsRoot: true in parley.yml"
                                .formatted(power))
                : Optional.empty();
    }

    /** Whether somebody has a power of this kind. */
    public boolean isOn(Kind kind) {
        return grants.keySet().stream().anyMatch(power -> power.kind() == kind);
    }

    /** Whether somebody has this power. */
    public boolean isOn(Power power) {
        return grants.containsKey(power);
    }

    /** Whether this process refuses to start programs, because its user is root. */
    public boolean refusesPrograms() {
        return !programs;
    }

    /** All powers that are on, in order. */
    public SortedMap<Power, Grant> all() {
        return grants;
    }

    /** What the operator should know at start: powers that name nobody, and programs that are not started. */
    public List<String> warnings() {
        var warnings = new ArrayList<String>();
        grants.forEach((power, grant) -> {
            if (!grant.named()) {
                warnings.add(("the power %s names nobody in parley.yml: only the project default has it, and what"
                                + " administrators publish for the installation's own host; name others, as in %s")
                        .formatted(power, power.example(new Grant.Grantee("projects", "default, ID"))));
            }
            if (power.kind().startsPrograms() && !programs) {
                warnings.add(("%s starts nothing: this process runs as root; run it as another user, or set"
                                + " commandsAsRoot: true in parley.yml")
                        .formatted(power));
            }
        });
        return warnings;
    }
}
