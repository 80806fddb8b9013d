/* SPDX-License-Identifier: Apache-2.0 */
/* The MPI calls' numbers stand in experiments: none may ever change. */
#include <criterion/criterion.h>

#include "share/mpicall.h"

static const struct {
    u32 number;
    const char *name;
} frozen[] = {
    { 1, "MPI_Send" }, { 2, "MPI_Bsend" }, { 3, "MPI_Ssend" }, { 4, "MPI_Rsend" },
    { 5, "MPI_Isend" }, { 6, "MPI_Ibsend" }, { 7, "MPI_Issend" }, { 8, "MPI_Irsend" },
    { 9, "MPI_Send_init" }, { 10, "MPI_Bsend_init" }, { 11, "MPI_Ssend_init" },
    { 12, "MPI_Rsend_init" }, { 13, "MPI_Psend_init" }, { 20, "MPI_Recv" },
    { 21, "MPI_Irecv" }, { 22, "MPI_Mrecv" }, { 23, "MPI_Imrecv" },
    { 24, "MPI_Recv_init" }, { 25, "MPI_Precv_init" }, { 30, "MPI_Sendrecv" },
    { 31, "MPI_Sendrecv_replace" }, { 32, "MPI_Isendrecv" },
    { 33, "MPI_Isendrecv_replace" }, { 40, "MPI_Start" }, { 41, "MPI_Startall" },
    { 42, "MPI_Pready" }, { 43, "MPI_Pready_range" }, { 44, "MPI_Pready_list" },
    { 50, "MPI_Wait" }, { 51, "MPI_Waitall" }, { 52, "MPI_Waitany" },
    { 53, "MPI_Waitsome" }, { 54, "MPI_Test" }, { 55, "MPI_Testall" },
    { 56, "MPI_Testany" }, { 57, "MPI_Testsome" }, { 58, "MPI_Parrived" },
    { 59, "MPI_Request_get_status" }, { 60, "MPI_Request_free" }, { 61, "MPI_Cancel" },
    { 62, "MPI_Buffer_attach" }, { 63, "MPI_Buffer_detach" }, { 70, "MPI_Probe" },
    { 71, "MPI_Iprobe" }, { 72, "MPI_Mprobe" }, { 73, "MPI_Improbe" },
    { 80, "MPI_Barrier" }, { 81, "MPI_Bcast" }, { 82, "MPI_Gather" },
    { 83, "MPI_Gatherv" }, { 84, "MPI_Scatter" }, { 85, "MPI_Scatterv" },
    { 86, "MPI_Allgather" }, { 87, "MPI_Allgatherv" }, { 88, "MPI_Alltoall" },
    { 89, "MPI_Alltoallv" }, { 90, "MPI_Alltoallw" }, { 91, "MPI_Reduce" },
    { 92, "MPI_Allreduce" }, { 93, "MPI_Reduce_scatter" },
    { 94, "MPI_Reduce_scatter_block" }, { 95, "MPI_Scan" }, { 96, "MPI_Exscan" },
    { 100, "MPI_Ibarrier" }, { 101, "MPI_Ibcast" }, { 102, "MPI_Igather" },
    { 103, "MPI_Igatherv" }, { 104, "MPI_Iscatter" }, { 105, "MPI_Iscatterv" },
    { 106, "MPI_Iallgather" }, { 107, "MPI_Iallgatherv" }, { 108, "MPI_Ialltoall" },
    { 109, "MPI_Ialltoallv" }, { 110, "MPI_Ialltoallw" }, { 111, "MPI_Ireduce" },
    { 112, "MPI_Iallreduce" }, { 113, "MPI_Ireduce_scatter" },
    { 114, "MPI_Ireduce_scatter_block" }, { 115, "MPI_Iscan" }, { 116, "MPI_Iexscan" },
    { 120, "MPI_Barrier_init" }, { 121, "MPI_Bcast_init" }, { 122, "MPI_Gather_init" },
    { 123, "MPI_Gatherv_init" }, { 124, "MPI_Scatter_init" },
    { 125, "MPI_Scatterv_init" }, { 126, "MPI_Allgather_init" },
    { 127, "MPI_Allgatherv_init" }, { 128, "MPI_Alltoall_init" },
    { 129, "MPI_Alltoallv_init" }, { 130, "MPI_Alltoallw_init" },
    { 131, "MPI_Reduce_init" }, { 132, "MPI_Allreduce_init" },
    { 133, "MPI_Reduce_scatter_init" }, { 134, "MPI_Reduce_scatter_block_init" },
    { 135, "MPI_Scan_init" }, { 136, "MPI_Exscan_init" },
    { 140, "MPI_Neighbor_allgather" }, { 141, "MPI_Neighbor_allgatherv" },
    { 142, "MPI_Neighbor_alltoall" }, { 143, "MPI_Neighbor_alltoallv" },
    { 144, "MPI_Neighbor_alltoallw" }, { 145, "MPI_Ineighbor_allgather" },
    { 146, "MPI_Ineighbor_allgatherv" }, { 147, "MPI_Ineighbor_alltoall" },
    { 148, "MPI_Ineighbor_alltoallv" }, { 149, "MPI_Ineighbor_alltoallw" },
    { 150, "MPI_Neighbor_allgather_init" }, { 151, "MPI_Neighbor_allgatherv_init" },
    { 152, "MPI_Neighbor_alltoall_init" }, { 153, "MPI_Neighbor_alltoallv_init" },
    { 154, "MPI_Neighbor_alltoallw_init" }, { 160, "MPI_Put" }, { 161, "MPI_Get" },
    { 162, "MPI_Accumulate" }, { 163, "MPI_Get_accumulate" },
    { 164, "MPI_Fetch_and_op" }, { 165, "MPI_Compare_and_swap" }, { 166, "MPI_Rput" },
    { 167, "MPI_Rget" }, { 168, "MPI_Raccumulate" }, { 169, "MPI_Rget_accumulate" },
    { 175, "MPI_Win_fence" }, { 176, "MPI_Win_post" }, { 177, "MPI_Win_start" },
    { 178, "MPI_Win_complete" }, { 179, "MPI_Win_wait" }, { 180, "MPI_Win_test" },
    { 181, "MPI_Win_lock" }, { 182, "MPI_Win_lock_all" }, { 183, "MPI_Win_unlock" },
    { 184, "MPI_Win_unlock_all" }, { 185, "MPI_Win_flush" },
    { 186, "MPI_Win_flush_all" }, { 187, "MPI_Win_flush_local" },
    { 188, "MPI_Win_flush_local_all" }, { 189, "MPI_Win_sync" },
    { 195, "MPI_Win_create" }, { 196, "MPI_Win_allocate" },
    { 197, "MPI_Win_allocate_shared" }, { 198, "MPI_Win_create_dynamic" },
    { 199, "MPI_Win_free" }, { 200, "MPI_Win_attach" }, { 201, "MPI_Win_detach" },
    { 202, "MPI_Win_get_group" }, { 203, "MPI_Win_set_name" },
    { 204, "MPI_Win_get_name" }, { 205, "MPI_Win_set_info" },
    { 206, "MPI_Win_get_info" }, { 207, "MPI_Win_shared_query" },
    { 208, "MPI_Alloc_mem" }, { 209, "MPI_Free_mem" }, { 215, "MPI_File_read_at" },
    { 216, "MPI_File_write_at" }, { 217, "MPI_File_read" }, { 218, "MPI_File_write" },
    { 219, "MPI_File_read_shared" }, { 220, "MPI_File_write_shared" },
    { 221, "MPI_File_iread_at" }, { 222, "MPI_File_iwrite_at" },
    { 223, "MPI_File_iread" }, { 224, "MPI_File_iwrite" },
    { 225, "MPI_File_iread_shared" }, { 226, "MPI_File_iwrite_shared" },
    { 230, "MPI_File_read_at_all" }, { 231, "MPI_File_write_at_all" },
    { 232, "MPI_File_read_all" }, { 233, "MPI_File_write_all" },
    { 234, "MPI_File_read_ordered" }, { 235, "MPI_File_write_ordered" },
    { 236, "MPI_File_iread_at_all" }, { 237, "MPI_File_iwrite_at_all" },
    { 238, "MPI_File_iread_all" }, { 239, "MPI_File_iwrite_all" },
    { 240, "MPI_File_read_at_all_begin" }, { 241, "MPI_File_write_at_all_begin" },
    { 242, "MPI_File_read_all_begin" }, { 243, "MPI_File_write_all_begin" },
    { 244, "MPI_File_read_ordered_begin" }, { 245, "MPI_File_write_ordered_begin" },
    { 246, "MPI_File_read_at_all_end" }, { 247, "MPI_File_write_at_all_end" },
    { 248, "MPI_File_read_all_end" }, { 249, "MPI_File_write_all_end" },
    { 250, "MPI_File_read_ordered_end" }, { 251, "MPI_File_write_ordered_end" },
    { 255, "MPI_File_open" }, { 256, "MPI_File_close" }, { 257, "MPI_File_delete" },
    { 258, "MPI_File_set_size" }, { 259, "MPI_File_preallocate" },
    { 260, "MPI_File_set_view" }, { 261, "MPI_File_sync" }, { 262, "MPI_File_seek" },
    { 263, "MPI_File_seek_shared" }, { 264, "MPI_File_set_atomicity" },
    { 265, "MPI_File_set_info" }, { 266, "MPI_File_get_size" },
    { 267, "MPI_File_get_group" }, { 268, "MPI_File_get_amode" },
    { 269, "MPI_File_get_info" }, { 270, "MPI_File_get_view" },
    { 271, "MPI_File_get_position" }, { 272, "MPI_File_get_byte_offset" },
    { 273, "MPI_File_get_position_shared" }, { 274, "MPI_File_get_type_extent" },
    { 275, "MPI_File_get_atomicity" }, { 280, "MPI_Comm_create" },
    { 281, "MPI_Comm_dup" }, { 282, "MPI_Comm_dup_with_info" },
    { 283, "MPI_Comm_idup" }, { 284, "MPI_Comm_idup_with_info" },
    { 285, "MPI_Comm_split" }, { 286, "MPI_Comm_split_type" },
    { 287, "MPI_Comm_create_group" }, { 288, "MPI_Comm_create_from_group" },
    { 289, "MPI_Intercomm_create" }, { 290, "MPI_Intercomm_create_from_groups" },
    { 291, "MPI_Intercomm_merge" }, { 292, "MPI_Cart_create" },
    { 293, "MPI_Cart_sub" }, { 294, "MPI_Graph_create" },
    { 295, "MPI_Dist_graph_create" }, { 296, "MPI_Dist_graph_create_adjacent" },
    { 297, "MPI_Comm_free" }, { 298, "MPI_Comm_disconnect" },
    { 299, "MPI_Comm_accept" }, { 300, "MPI_Comm_connect" }, { 301, "MPI_Comm_join" },
    { 302, "MPI_Comm_spawn" }, { 303, "MPI_Comm_spawn_multiple" },
    { 310, "MPI_Comm_compare" }, { 311, "MPI_Comm_get_info" },
    { 312, "MPI_Comm_get_name" }, { 313, "MPI_Comm_get_parent" },
    { 314, "MPI_Comm_group" }, { 315, "MPI_Comm_rank" },
    { 316, "MPI_Comm_remote_group" }, { 317, "MPI_Comm_remote_size" },
    { 318, "MPI_Comm_set_info" }, { 319, "MPI_Comm_set_name" },
    { 320, "MPI_Comm_size" }, { 321, "MPI_Comm_test_inter" },
    { 322, "MPI_Group_compare" }, { 323, "MPI_Group_difference" },
    { 324, "MPI_Group_excl" }, { 325, "MPI_Group_free" },
    { 326, "MPI_Group_from_session_pset" }, { 327, "MPI_Group_incl" },
    { 328, "MPI_Group_intersection" }, { 329, "MPI_Group_range_excl" },
    { 330, "MPI_Group_range_incl" }, { 331, "MPI_Group_rank" },
    { 332, "MPI_Group_size" }, { 333, "MPI_Group_translate_ranks" },
    { 334, "MPI_Group_union" }, { 335, "MPI_Cart_coords" }, { 336, "MPI_Cart_get" },
    { 337, "MPI_Cart_map" }, { 338, "MPI_Cart_rank" }, { 339, "MPI_Cart_shift" },
    { 340, "MPI_Cartdim_get" }, { 341, "MPI_Dims_create" },
    { 342, "MPI_Dist_graph_neighbors" }, { 343, "MPI_Dist_graph_neighbors_count" },
    { 344, "MPI_Graph_get" }, { 345, "MPI_Graph_map" }, { 346, "MPI_Graph_neighbors" },
    { 347, "MPI_Graph_neighbors_count" }, { 348, "MPI_Graphdims_get" },
    { 349, "MPI_Topo_test" }, { 355, "MPI_Init" }, { 356, "MPI_Init_thread" },
    { 357, "MPI_Finalize" }, { 358, "MPI_Abort" }, { 359, "MPI_Initialized" },
    { 360, "MPI_Finalized" }, { 361, "MPI_Is_thread_main" },
    { 362, "MPI_Query_thread" }, { 363, "MPI_Session_init" },
    { 364, "MPI_Session_finalize" }, { 365, "MPI_Session_get_info" },
    { 366, "MPI_Session_get_nth_pset" }, { 367, "MPI_Session_get_num_psets" },
    { 368, "MPI_Session_get_pset_info" }, { 369, "MPI_Open_port" },
    { 370, "MPI_Close_port" }, { 371, "MPI_Publish_name" }, { 372, "MPI_Lookup_name" },
    { 373, "MPI_Unpublish_name" }, { 374, "MPI_Get_library_version" },
    { 375, "MPI_Get_processor_name" }, { 376, "MPI_Get_version" },
};

Test(mpicall, numbers_stay)
{
    u32 rows = 0;

    for (u32 i = 0; i < ER_COUNT(frozen); i++) {
        const char *name = mpicall_name(frozen[i].number);

        cr_assert(name && !strcmp(name, frozen[i].name), "%s", frozen[i].name);
        cr_assert_eq(mpicall_number(frozen[i].name), frozen[i].number);
    }
    for (u32 i = 0; i < MPICALL_END; i++)
        rows += mpicall_desc(i) != NULL;
    cr_assert_eq(rows, ER_COUNT(frozen));
}

Test(mpicall, names_in_any_form)
{
    cr_assert_eq(mpicall_number("send"), MPICALL_Send);
    cr_assert_eq(mpicall_number("mpi_sendrecv"), MPICALL_Sendrecv);
    cr_assert_eq(mpicall_number("Send_"), 0);
    cr_assert_eq(mpicall_number(""), 0);
    cr_assert_null(mpicall_name(0));
    cr_assert_null(mpicall_desc(MPICALL_END));
}

Test(mpicall, rows_say_what_they_do)
{
    cr_assert_eq(mpicall_desc(MPICALL_Irecv)->kind, MPI_KIND_RECV);
    cr_assert_eq(mpicall_desc(MPICALL_Irecv)->mode, MPI_MODE_BEGIN);
    cr_assert_eq(mpicall_desc(MPICALL_Ibcast)->kind, MPI_KIND_FROM_ONE);
    cr_assert_eq(mpicall_desc(MPICALL_Win_fence)->kind, MPI_KIND_RMA_SYNC);
    cr_assert_eq(mpicall_desc(MPICALL_Iprobe)->mode, MPI_MODE_LOCAL);
}

/* Records at their largest fit where writers make room for them. */
Test(mpicall, records_have_their_room)
{
    static unsigned char bytes[4096];
    u64 most = ~0ull >> SHIFT_mpitrace;
    struct rec_mpi m = { most, most, MPICALL_END, MPI_KIND_COUNT, 1u << 20, 1u << 31,
                         1u << 31, 1u << 31, ~0u, ~0ull, ~0ull, ~0u, ~0u };
    struct rec_done d = { most, most, most, MPICALL_END, 1u << 31, 1u << 31,
                          1u << 31, ~0ull, ~0u, ~0u, MPI_KIND_COUNT, 1 };
    struct codec c;

    codec_start(&c, 0, 0);
    cr_assert_leq(rec_put_mpi(&c, bytes, &m) - bytes, ER_RECORD_MAX);
    codec_start(&c, 0, 0);
    cr_assert_leq(rec_put_done(&c, bytes, &d) - bytes, ER_RECORD_MAX);
}
