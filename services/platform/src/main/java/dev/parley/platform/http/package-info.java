/** What every HTTP endpoint shares: who calls, errors as problem details, the shapes that clients rely on. */
@NullMarked
package dev.parley.platform.http;

import org.jspecify.annotations.NullMarked;
