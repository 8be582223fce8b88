/* SPDX-License-Identifier: MIT */
/* pc_kernel.jobs: whole groups by whole_jobs(), the rest by FINISH; these and GROUP come before. */
#ifndef PC_KERNEL_JOBS_H
#define PC_KERNEL_JOBS_H

static void jobs(struct pc_lut_job *job, size_t n, size_t first, size_t words)
{
    const size_t whole = words - words % GROUP;

    if (whole > 0)
        whole_jobs(job, n, first, whole);
    if (whole < words)
        FINISH.jobs(job, n, first + whole, words - whole);
}

#endif
