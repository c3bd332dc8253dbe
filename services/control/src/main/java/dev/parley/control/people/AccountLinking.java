package dev.parley.control.people;

import dev.parley.control.http.Checks;
import dev.parley.control.identity.Identity;
import dev.parley.control.people.People.NewPerson;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.access.BearerToken;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Maps an external identity to its account, and creates the account on the first sign-in. Accounts are never
 * merged by e-mail address.
 */
@Singleton
final class AccountLinking {
    private static final int MAX_NAME = 50;
    private static final int RANDOM_SUFFIX = 8;

    private final People people;
    private final Registration registration;

    AccountLinking(People people, Registration registration) {
        this.people = people;
        this.registration = registration;
    }

    /**
     * The account of an identity.
     *
     * @throws ApiException 403 where it is removed, or is new and registration is closed
     */
    SignInAccount findOrCreate(Identity identity) {
        SignInAccount person = people.findAccount(identity).orElseGet(() -> create(identity));
        if (!person.active()) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN, "account_removed", "An administrator has removed this account.");
        }
        return person;
    }

    private SignInAccount create(Identity identity) {
        registration.check(people.isEmpty(), null);
        try {
            add(identity);
        } catch (FailedException e) {
            // A concurrent request has created the account.
            if (e.duplicate().filter(Identities.UNIQUE::equals).isEmpty()) {
                throw e;
            }
        }
        return people.findAccount(identity).orElseThrow();
    }

    private void add(Identity identity) {
        Deque<String> names = new ArrayDeque<>(names(identity));
        String email = email(identity);
        while (true) {
            try {
                people.add(
                        AccessDirectory.DEFAULT_HOST,
                        new NewPerson(names.element(), email, null, null, null, identity),
                        null,
                        false);
                return;
            } catch (ApiException e) {
                if (e.code().equals("email_taken") && email != null) {
                    email = null;
                } else if (e.code().equals("username_taken") && names.size() > 1) {
                    names.remove();
                } else {
                    throw e;
                }
            }
        }
    }

    private static @Nullable String email(Identity identity) {
        try {
            return Checks.email(identity.email());
        } catch (ApiException e) {
            return null;
        }
    }

    /** Candidates for the username, best first; the last one is random. */
    private static List<String> names(Identity identity) {
        String login = identity.login() == null ? "" : identity.login();
        String clean =
                login.replaceAll("@.*", "").replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|-+$", "");
        String name = clean.isEmpty() ? identity.provider() : clean.substring(0, Math.min(clean.length(), MAX_NAME));
        String random = BearerToken.random().substring(0, RANDOM_SUFFIX).toLowerCase(Locale.ROOT);
        return List.of(name, name + "-2", name + "-3", name + "-" + random);
    }
}
