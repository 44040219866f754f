"""Estimate the parameters of items from the answers given to them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from measurement.ability import GRID

Floats = NDArray[np.float64]
# A row per student, a column per item: 1 right, 0 wrong, MISSING if the item was not given.
Marks = NDArray[np.int8]
MISSING = -1
POINTS: Floats = np.array(GRID)
# Limits far outside plausible values: without priors, an item that everyone answers correctly has
# no finite estimate.
LOG_A_LIMIT, B_LIMIT = math.log(8), 8.0
LARGEST_STEP = 0.5
SCORING_STEPS = 3
HALVINGS = 6


@dataclass(frozen=True, slots=True)
class Prior:
    """The prior of an item: log a and b are normal with these means and SDs."""

    b: float
    b_sd: float = 0.9
    log_a: float = math.log(1.2)
    log_a_sd: float = 0.25

    @classmethod
    def of_rule(cls, b_rule: float, b_sd: float = 0.9) -> Prior:
        """Return a prior at the difficulty of a generated item's rule, slightly shrunk to 0."""
        return cls(b=0.95 * b_rule, b_sd=b_sd)


@dataclass(frozen=True, slots=True)
class ItemEstimate:
    """An item's discrimination and difficulty, their standard errors, and the number of answers."""

    a: float
    b: float
    se_a: float
    se_b: float
    answers: int


@dataclass(frozen=True)
class Calibration:
    """Estimates of all items in the order of the columns.

    `posteriors` has a row of weights on ability.GRID for each student; each row sums to 1.
    `log_likelihood` is marginal, without priors. The estimates are from the last step, whether or
    not it `converged`.
    """

    items: tuple[ItemEstimate, ...]
    log_likelihood: float
    iterations: int
    converged: bool
    posteriors: Floats


def marks_of(attempts: Iterable[Mapping[str, bool]], codes: Sequence[str]) -> Marks:
    """Return the marks as a table, a row per student and a column per code.

    Answers to other items are ignored.
    """
    rows = [
        [MISSING if code not in right else int(right[code]) for code in codes] for right in attempts
    ]
    return np.array(rows, dtype=np.int8).reshape(len(rows), len(codes))


def calibrate(
    marks: Marks,
    guessing: Sequence[float],
    priors: Sequence[Prior] | None = None,
    *,
    tolerance: float = 1e-4,
    most_iterations: int = 500,
) -> Calibration:
    """Estimate a and b of every item, with fixed guessing parameters.

    Marginal maximum likelihood: students are N(0, 1), summed over 61 equidistant points on
    [-6, 6]. An EM step computes the expected number of right answers at each point, then improves
    each item separately by Fisher scoring; pairs of steps are extrapolated. With `priors`, one per
    item, the result is the mode of the posterior. It has converged when every log a and b moves by
    less than `tolerance` in a step. Missing answers may be random or due to adaptive selection. An
    item without answers gets the values of its prior; without one, a = 1 and b = 0.
    Sources: Bock, R. D. & Aitkin, M. (1981), Psychometrika 46, 443-459; priors: Mislevy, R. J.
    (1986), Psychometrika 51, 177-195; extrapolation: Varadhan, R. & Roland, C. (2008),
    Scandinavian Journal of Statistics 35, 335-353.
    """
    model = _Model(marks, guessing, priors)
    at = model.expected
    steps, move = 0, math.inf
    while move >= tolerance and steps < most_iterations:
        first = model.step(at)
        second = model.step(first)
        steps += 2
        move = float(np.abs(second - first).max())
        at = model.better(_extrapolated(at, first, second), second)
    posteriors, log_likelihood = model.expect(at)
    se_a, se_b = model.errors(at, posteriors)
    answers = (marks != MISSING).sum(axis=0)
    return Calibration(
        items=tuple(
            ItemEstimate(float(a), float(b), float(sa), float(sb), int(n))
            for a, b, sa, sb, n in zip(np.exp(at[0]), at[1], se_a, se_b, answers, strict=True)
        ),
        log_likelihood=log_likelihood,
        iterations=steps,
        converged=move < tolerance,
        posteriors=posteriors,
    )


def curves(a: Floats, b: Floats, c: Floats) -> tuple[Floats, Floats]:
    """Return the logistic and the chance of a right answer, a row per item, a column per point."""
    logistic = 1 / (1 + np.exp(-a[:, None] * (POINTS - b[:, None])))
    return logistic, c[:, None] + (1 - c[:, None]) * logistic


def _extrapolated(start: Floats, first: Floats, second: Floats) -> Floats:
    """Extrapolate two steps (scheme S3), within the limits of plausible values."""
    move = first - start
    turn = second - first - move
    size = float(np.sqrt((turn**2).sum()))
    length = -float(np.sqrt((move**2).sum())) / size if size else -1.0
    if length > -1:
        return second
    far = start - 2 * length * move + length**2 * turn
    return _within_limits(far)


def _within_limits(at: Floats) -> Floats:
    return np.stack([np.clip(at[0], -LOG_A_LIMIT, LOG_A_LIMIT), np.clip(at[1], -B_LIMIT, B_LIMIT)])


class _Model:
    """Answers and priors of one calibration. Parameters are a table: log a, then b, per item."""

    def __init__(
        self, marks: Marks, guessing: Sequence[float], priors: Sequence[Prior] | None
    ) -> None:
        self.right = (marks == 1).astype(np.float64)
        self.wrong = (marks == 0).astype(np.float64)
        self.c: Floats = np.array(guessing, dtype=np.float64)
        density = np.exp(-0.5 * POINTS**2)
        self.log_prior: Floats = np.log(density / density.sum())
        # Without priors, the precision is 0 and the means carry no weight.
        given = priors or [Prior(b=0.0, log_a=0.0)] * len(self.c)
        self.expected = np.array([[p.log_a for p in given], [p.b for p in given]])
        sds = np.array([[p.log_a_sd for p in given], [p.b_sd for p in given]])
        self.precision: Floats = sds**-2.0 if priors else np.zeros_like(sds)

    def expect(self, at: Floats) -> tuple[Floats, float]:
        """Return the students' posteriors and the marginal log-likelihood (the E step)."""
        success, failure = self._log_chances(at)
        weights = self.right @ success + self.wrong @ failure + self.log_prior
        peak = weights.max(axis=1, keepdims=True)
        np.exp(weights - peak, out=weights)
        total = weights.sum(axis=1, keepdims=True)
        weights /= total
        return weights, float((np.log(total) + peak).sum())

    def step(self, at: Floats) -> Floats:
        """Return the parameters after one EM step."""
        posteriors, _ = self.expect(at)
        right = self.right.T @ posteriors
        total = right + self.wrong.T @ posteriors
        for _ in range(SCORING_STEPS):
            at = self._improved(at, right, total)
        return at

    def objective(self, at: Floats) -> float:
        """Return the log-likelihood plus the log priors, up to a constant."""
        penalty = 0.5 * float((self.precision * (at - self.expected) ** 2).sum())
        return self.expect(at)[1] - penalty

    def better(self, one: Floats, other: Floats) -> Floats:
        """Return the likelier parameters, because an extrapolation may go too far."""
        if one is other:
            return other
        return one if self.objective(one) >= self.objective(other) else other

    def errors(self, at: Floats, posteriors: Floats) -> tuple[Floats, Floats]:
        """Return the standard errors of a and b.

        The information on an item is the sum of squares of the students' expected scores, each
        over the student's posterior, plus the precision of the prior.
        Source: the cross-product approximation in Mislevy, R. J. & Sheehan, K. M. (1989),
        Psychometrika 54, 661-679, with the items taken one by one.
        """
        a = np.exp(at[0])
        logistic, chance = curves(a, at[1], self.c)
        slopes = np.stack([a[:, None] * (POINTS - at[1][:, None]), np.repeat(-a[:, None], 61, 1)])
        when_right = slopes * (1 - chance) * logistic / chance
        when_wrong = -slopes * logistic
        information = np.zeros((len(a), 2, 2))
        for item in range(len(a)):
            for given, slope in ((self.right, when_right), (self.wrong, when_wrong)):
                students = np.flatnonzero(given[:, item])
                scores = posteriors[students] @ slope[:, item].T
                information[item] += scores.T @ scores
            information[item] += np.diag(self.precision[:, item])
        # Without an answer or a prior the error is infinite.
        variance = np.full((2, len(a)), np.inf)
        known = np.linalg.det(information) > 1e-9
        variance[:, known] = np.diagonal(np.linalg.inv(information[known]), axis1=1, axis2=2).T
        return a * np.sqrt(variance[0]), np.sqrt(variance[1])

    def _improved(self, at: Floats, right: Floats, total: Floats) -> Floats:
        """Return the parameters after a scoring step, given expected counts (the M step)."""
        a = np.exp(at[0])[:, None]
        logistic, chance = curves(a[:, 0], at[1], self.c)
        score = (right - total * chance) * logistic / chance
        weight = total * (1 - self.c[:, None]) * logistic**2 * self._mirrored(at) / chance
        z = a * (POINTS - at[1][:, None])
        pull = self.precision * (self.expected - at)
        gradient = np.stack([(score * z).sum(axis=1), -(score * a).sum(axis=1)]) + pull
        aa = (weight * z * z).sum(axis=1) + self.precision[0]
        bb = (weight * a * a).sum(axis=1) + self.precision[1]
        ab = -(weight * z * a).sum(axis=1)
        determinant = aa * bb - ab * ab
        solvable = determinant > 1e-12
        determinant = np.where(solvable, determinant, 1.0)
        move = np.stack([bb * gradient[0] - ab * gradient[1], aa * gradient[1] - ab * gradient[0]])
        move = np.where(solvable, move / determinant, 0.0)
        # Scale the step as a whole: clipping a and b separately could turn it downhill.
        move /= np.maximum(1, np.abs(move).max(axis=0) / LARGEST_STEP)
        return self._not_worse(at, move, right, total - right)

    def _not_worse(self, at: Floats, move: Floats, right: Floats, wrong: Floats) -> Floats:
        """Take the step, halved repeatedly where it makes an item less likely."""
        before = self._likelihoods(at, right, wrong)
        for _ in range(HALVINGS):
            there = _within_limits(at + move)
            worse = self._likelihoods(there, right, wrong) < before
            if not worse.any():
                return there
            move = np.where(worse, move / 2, move)
        return np.where(worse, at, there)

    def _likelihoods(self, at: Floats, right: Floats, wrong: Floats) -> Floats:
        """Return the expected log-likelihood plus the log priors of every item."""
        success, failure = self._log_chances(at)
        penalty = 0.5 * (self.precision * (at - self.expected) ** 2).sum(axis=0)
        found: Floats = (right * success + wrong * failure).sum(axis=1) - penalty
        return found

    def _log_chances(self, at: Floats) -> tuple[Floats, Floats]:
        _, chance = curves(np.exp(at[0]), at[1], self.c)
        # A product gives 1 - P without losing digits where P is close to 1.
        return np.log(chance), np.log((1 - self.c[:, None]) * self._mirrored(at))

    def _mirrored(self, at: Floats) -> Floats:
        """Return 1 minus the logistic, without losing digits."""
        mirrored: Floats = 1 / (1 + np.exp(np.exp(at[0])[:, None] * (POINTS - at[1][:, None])))
        return mirrored
