package dev.parley.domain.budget;

import java.time.LocalDate;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Error details of model calls rejected by a budget, which are also shown to users. */
public final class Exhausted {
    private static final String WHOSE =
            Stream.of(BudgetScope.values()).map(BudgetScope::description).collect(Collectors.joining("|"));
    private static final Pattern USED_UP = Pattern.compile("(" + WHOSE
            + ")( for today| for this month)? is used up(; it begins anew on \\d{4}-\\d{2}-\\d{2} at 00:00 UTC)?");
    private static final String NO_PRICE = "no price for ";

    private Exhausted() {}

    /** The budget is used up. */
    public static String detail(BudgetScope scope, Period period, LocalDate today) {
        return scope.description() + period.description() + " is used up"
                + period.next(today)
                        .map(day -> "; it begins anew on " + day + " at 00:00 UTC")
                        .orElse("");
    }

    /** The price of a call is unknown, so a cost limit cannot be enforced. */
    public static String withoutPrice(BudgetScope scope, String provider, String model) {
        String name = provider + "/" + model;
        return NO_PRICE + name + ", and " + scope.description() + " is in dollars; set one with PUT /v1/prices/" + name;
    }

    /** The message for users; empty if it is another detail. */
    public static Optional<String> words(String detail) {
        if (detail.startsWith(NO_PRICE)) {
            return Optional.of(
                    "there is a budget, and the price of this model is not known; please tell the operator.");
        }
        return USED_UP.matcher(detail).matches() ? Optional.of(detail + ".") : Optional.empty();
    }
}
